import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { drafts, effect } from './drafts.ts';
import { callOf, cwdOf, program, runScript } from './npm-call.ts';
import { runsPackage } from './npm-packages.ts';
import { managed } from './npm-verbs.ts';
import { type Grammar, grammar, parseOptions } from './options.ts';
import { QUIET } from './package-managers.ts';
import { hasScript } from './package-scripts.ts';
import { joinWords } from './words.ts';

export function bun(inv: Invocation): Outcome {
  const head = parseOptions(inv.argv, BUN);
  const codes = [...head.values('e'), ...head.values('p')];
  if (codes.length > 0)
    return {
      flags: head.flags,
      nested: codes.map((code) => ({
        kind: 'argv' as const,
        via: 'bun',
        argv: [known('node'), known(head.has('p') ? '-pe' : '-e'), code, ...head.operands],
        stdin: inv.stdin,
      })),
    };
  const call = callOf({
    ...inv,
    argv: [
      inv.argv[0] ?? [],
      ...(head.value('cwd') ? [known('--cwd'), head.value('cwd') as Value] : []),
      ...head.operands,
    ],
  });
  const seen = { subcommand: call.verb, flags: head.flags, operands: call.args.operands };
  const [first, ...rest] = head.operands;
  if (!first)
    return head.flags.length > 0
      ? seen
      : { ...seen, nested: [{ kind: 'argv', via: 'bun', argv: [known('node'), known('-')], stdin: inv.stdin }] };
  if (call.verb === 'exec' && call.words[0])
    return { ...seen, nested: [{ kind: 'script', via: 'bun exec', text: joinWords(call.words) }] };
  if (call.verb === 'build') {
    const out = call.words.flatMap((w, at) =>
      /^--(?:outfile|outdir)$/.test(render(w))
        ? call.words.slice(at + 1, at + 2)
        : /^--(?:outfile|outdir)=/.test(render(w))
          ? [known(render(w).replace(/^[^=]*=/, ''))]
          : [],
    );
    return { ...seen, files: drafts('write', out, { recursive: true }) };
  }
  const address = call.verb === 'run' ? call.words[0] : first;
  if (address && /^https?:\/\//.test(render(address)))
    return {
      ...seen,
      dests: [{ address, sends: 'nothing' }],
      effects: [effect('exec-remote', render(address), 'runs code from the network')],
    };
  const target = call.verb === 'run' ? program(call) : [first, ...rest];
  const file = target[0] ? render(target[0]) : '';
  if (/^(?:\.{0,2}\/|-$)|\.[cm]?[jt]sx?$/.test(file))
    return {
      ...seen,
      nested: [{ kind: 'argv', via: 'bun', argv: [known('node'), ...target], stdin: inv.stdin, ...cwdOf(call) }],
    };
  const made = managed(call);
  if (made) return { ...seen, ...made };
  if (QUIET.has(call.verb)) return seen;
  if (hasScript(inv, call.directory, call.verb)) return { ...seen, ...runScript(call, call.verb, call.words) };
  return { ...seen, ...runsPackage(inv, 'bun', [first, ...rest]) };
}

const BUN: Grammar = grammar(
  'e eval:, p print:, cwd:, b bun, watch, hot, smol, r preload:, inspect?, env-file:, i, silent, v version, h help, if-present, filter:',
  { stopAtOperand: true },
);
