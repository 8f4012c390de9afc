import type { Nested } from '../../model/program.ts';
import { EMPTY_STREAM, type Part, type Stream, textOf, type Value } from '../../model/value.ts';
import { effect } from './notes.ts';
import type { CodeFindings, Scan } from './scan.ts';

/** What was found, the printed text only if no branch or loop makes it doubtful. */
export function findings(scan: Scan): CodeFindings {
  const sure = scan.branches === 0 && scan.printed.length < 200;
  const value = scan.printed.length === 0 ? null : sure ? merge(scan.printed) : null;
  if (scan.dests.some((d) => d.scheme === 'tcp') && scan.nested.some(startsShell))
    effect(scan, 'exec-remote', 'a shell on a network connection');
  const { files, dests, effects, nested, opaque } = scan;
  const stdout: Stream =
    value === null && scan.printTaints.size === 0 ? EMPTY_STREAM : { value, taints: [...scan.printTaints] };
  return { files, dests, effects, nested, stdout, opaque };
}

/** A bare shell, which takes its commands from wherever its input was turned to. */
function startsShell(nested: Nested): boolean {
  const line =
    nested.kind === 'script'
      ? textOf(nested.text)
      : nested.kind === 'argv'
        ? nested.argv.map((a) => textOf(a) ?? '').join(' ')
        : null;
  return (
    line !== null &&
    /^\s*(?:\S*\/)?(?:ba|z|da|k|a)?sh(?:\s+-i)?(?:\s*[<>&|\d]\S*)*\s*$|^\s*(?:cmd|powershell|pwsh)(?:\.exe)?\s*$/.test(
      line,
    )
  );
}

function merge(parts: readonly Part[]): Value {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out[out.length - 1];
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else if (part !== '') out.push(part);
  }
  return out;
}
