import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { twinBytes, twinOf } from '../policy/load.ts';
import { serializePolicy } from './bundle.ts';
import { compilePolicy } from './compile.ts';
import { printFinding } from './finding.ts';
import { presetsOf } from './presets.ts';
import { readSources } from './source-files.ts';

/** Compiles the built-in rules, one bundle for each preset in rules/presets. Ends with 1 and the findings if they are faulty. */
function buildBuiltin(root: string): number {
  const sources = readSources([join(root, 'rules')], 'builtin', root);
  const out = join(root, 'dist', 'policy');
  mkdirSync(out, { recursive: true });
  for (const preset of presetsOf(sources)) {
    const { policy, findings } = compilePolicy(sources, { preset });
    if (findings.some((f) => f.severity === 'error')) {
      process.stderr.write(`${findings.map(printFinding).join('\n\n')}\n`);
      return 1;
    }
    const file = join(out, `${preset}.json`);
    const text = serializePolicy(policy);
    writeFileSync(file, text);
    writeFileSync(twinOf(file), twinBytes(text));
  }
  return 0;
}

process.exitCode = buildBuiltin(fileURLToPath(new URL('../..', import.meta.url)));
