import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { effect } from './drafts.ts';
import { isRemoteSource } from './installs.ts';

/** Runs a package's program: from node_modules, or fetched from the registry. */
export function runsPackage(
  inv: Invocation,
  via: string,
  list: readonly Value[],
  packages: readonly Value[] = [],
): Outcome {
  const [first, ...rest] = list;
  const remote = [...packages, ...(first ? [first] : [])].filter(isAddress);
  const effects = remote.map((p) => effect('exec-remote', render(p), `${via} runs a package from an address`));
  if (!first || isAddress(first)) return { effects };
  return {
    effects,
    nested: [{ kind: 'argv', via, argv: [known(binaryOf(render(first))), ...rest], stdin: inv.stdin }],
  };
}

/** An address, `owner/name` among them: a repository at GitHub. */
function isAddress(name: Value): boolean {
  return isRemoteSource(name) || /^[\w-]+\/[\w.-]+(?:#.*)?$/.test(render(name));
}

const BINARIES = new Map([
  ['typescript', 'tsc'],
  ['@angular/cli', 'ng'],
  ['@nestjs/cli', 'nest'],
  ['@vue/cli', 'vue'],
  ['@babel/node', 'babel-node'],
  ['@dotenvx/dotenvx', 'dotenvx'],
  ['dotenv-cli', 'dotenv'],
  ['npm-run-all', 'npm-run-all'],
  ['del-cli', 'del-cli'],
  ['@playwright/test', 'playwright'],
  ['@changesets/cli', 'changeset'],
]);

/** The program that a package of that name brings: `@scope/name@1` → `name`. */
function binaryOf(spec: string): string {
  const name = spec.replace(/^npm:/, '').replace(/(?<=.)@[^/]*$/, '');
  return BINARIES.get(name) ?? name.slice(name.lastIndexOf('/') + 1);
}
