import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Nested } from '../model/program.ts';
import { known } from '../model/value.ts';
import { draft, effect } from './drafts.ts';

/** What commands of ex, vi and ed do outside the buffer. */
export interface ExFindings {
  readonly files: readonly FileDraft[];
  readonly nested: readonly Nested[];
  readonly effects: readonly EffectDraft[];
  /** A command saves the buffer under its own name. */
  readonly saves: boolean;
}

const RANGE = String.raw`(?:[%$.,;+\-\d\s]|'[a-z<>]|\/(?:[^/\\\n]|\\.)*\/|\?(?:[^?\\\n]|\\.)*\?)*`;
const SCRIPTS = /^(?:py3?|python3?|pyx|perl|ruby|lua|mz|mzscheme|tcl|pyfile|py3file|luafile|rubyfile)\b!?\s*(.*)$/;

const MOST_LINES = 2000;

/** Commands of one line, which `|` separates unless a shell command takes the rest of the line. */
function commandsOf(line: string): readonly string[] {
  return /!|\b(exe|execute|norm|normal|g|global|v|vglobal)\b/.test(line) ? [line] : line.split(/(?<!\\)\|/);
}

/** Scans commands of ex(1), ed(1) or vim for shell commands, written and read files, and other languages. */
export function scanEx(text: string, via: string): ExFindings {
  const files: FileDraft[] = [];
  const nested: Nested[] = [];
  const effects: EffectDraft[] = [];
  let saves = false;
  const shell = (command: string): void => {
    if (command.trim() !== '') nested.push({ kind: 'script', via, text: known(command.trim()) });
  };
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) effects.push(effect('exec-unknown', via, 'more editor commands than are analysed'));
  for (const line of lines.slice(0, MOST_LINES).flatMap(commandsOf)) {
    const bare = line
      .replace(/^[\s:]*/, '')
      .replace(
        /^(?:sil(?:ent)?!?|verb(?:ose)?|keepalt|keepj\w*|noa(?:utocmd)?|bufdo!?|windo|tabdo|argdo!?|exe(?:cute)?\s+["']?)\s*:?/,
        '',
      );
    const calls =
      /\b(?:system|systemlist|term_start|job_start|jobstart|termopen)\(\s*(["'])((?:[^"'\\]|\\.|(?!\1)["'])*)\1/g;
    for (const call of bare.matchAll(calls)) shell(call[2] as string);
    for (const call of bare.matchAll(/\b(writefile|delete|rename)\(\s*(?:\[[^\]]*\]\s*,\s*)?(["'])([^"']*)\2/g)) {
      files.push(draft(call[1] === 'delete' ? 'delete' : 'write', known(call[3] as string)));
    }
    const bang = new RegExp(`^${RANGE}!(.*)$`).exec(bare);
    if (bang) {
      shell(bang[1] as string);
      continue;
    }
    const command =
      new RegExp(`^${RANGE}(?:g!?\\/(?:[^/\\\\]|\\\\.)*\\/|v\\/(?:[^/\\\\]|\\\\.)*\\/)?\\s*(.*)$`).exec(bare)?.[1] ??
      bare;
    const terminal = /^(?:ter(?:minal)?|te)\b!?\s*(?:\+\+\S+\s+)*(.*)$/.exec(command);
    const write =
      /^(?:w|wr|wri|writ|write|up|update|sav|saveas|x|xit|wq|wn|wqa|wa|xa)(?![a-z])(!?)\s*(>>)?\s*(!?)(.*)$/.exec(
        command,
      );
    const read = /^(?:r|re|rea|read)(?![a-z])\s+(!?)(.*)$/.exec(command) ?? /^r(!)(.*)$/.exec(command);
    const edit =
      /^(?:e|ed|edi|edit|vi|view|sp|split|vs|vsplit|tabe|tabedit|tabnew|find|f|file|so|source|ru|runtime)\b!?\s+(!?)(.+)$/.exec(
        command,
      );
    const foreign = SCRIPTS.exec(command);
    if (terminal) shell(terminal[1] as string);
    else if (read) {
      if (read[1] === '!') shell(read[2] as string);
      else files.push(draft('read', known((read[2] as string).trim())));
    } else if (foreign) {
      effects.push(effect('exec-foreign', 'editor script', 'program text inside an editor command'));
      for (const call of (foreign[1] as string).matchAll(
        /\b(?:os\.execute|system|popen|call|run)\(\s*(["'])((?:[^"'\\]|\\.)*)\1/g,
      ))
        shell(call[2] as string);
    } else if (write) {
      const target = (write[4] as string).replace(/\s*\|.*$/, '').trim();
      if (write[3] === '!' && target !== '') shell(target);
      else if (target === '' || target === '%') saves = true;
      else if (!/^[A-Za-z]*!$/.test(target)) files.push(draft('write', known(target)));
    } else if (edit) {
      if (edit[1] === '!') shell(edit[2] as string);
      else files.push(draft('read', known((edit[2] as string).trim())));
    }
  }
  return { files, nested, effects, saves };
}
