import type { ToolCall } from '../model/tool-call.ts';
import { known } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import { programs } from '../programs/index.ts';
import { analyseShell } from '../shell/analyse.ts';
import { destOfUrl } from './fetch-tool.ts';
import { listOf, recordOf, textIn } from './fields.ts';
import { type Findings, joined, malformed, NOTHING, seen } from './findings.ts';
import { withoutNameReads } from './names-only.ts';

/** Agents whose shell tool takes an argument list (Codex); a list is no shape of any other tool's command. */
const TAKES_LIST = /^(?:shell|local_shell|container\.exec|exec|exec_command|unified_exec)$/;

/** A tool that runs shell text. */
export function shellTool(call: ToolCall, world: Overlay): Findings {
  const { input } = call;
  const wrong = (field: string, detail: string): Findings =>
    seen(malformed(field, detail), call.cwd, call.rawTool, world);
  const socket = recordOf(input['ws']);
  if (/^monitor$/i.test(call.rawTool) && socket && textIn(input, 'command') === null) {
    const url = textIn(socket, 'url');
    return url === null
      ? wrong('ws', 'it has no address')
      : seen({ dests: [destOfUrl(url, {})] }, call.cwd, call.rawTool, world);
  }
  const text = commandOf(call);
  if (text === null) return wrong('command', 'the command is missing or not a text');
  if (text.includes('\0')) return wrong('command', 'the command holds a NUL, at which programs would cut it off');
  const cwd =
    textIn(input, 'workdir', 'dir_path', 'directory', 'cwd', 'working_directory', 'workingDirectory') ?? call.cwd;
  const dir = cwd.startsWith('/') ? cwd : `${call.cwd}/${cwd}`;
  const found = shellFindings(
    /powershell|pwsh/i.test(call.rawTool) ? `pwsh -Command ${quoted(text)}` : text,
    dir,
    world,
  );
  const injected = Object.entries(recordOf(input['env']) ?? recordOf(input['environment']) ?? {}).flatMap(
    ([name, value]) => (typeof value === 'string' ? [programs.codeVariable(name, known(value))] : []),
  );
  const effects = injected.filter((effect) => effect !== null);
  return effects.length === 0 ? found : joined([found, seen({ effects }, call.cwd, call.rawTool, world)]);
}

/** Shell text from any place of a call. */
export function shellFindings(text: string, cwd: string, world: Overlay): Findings {
  if (text.trim() === '') return NOTHING;
  return withoutNameReads(analyseShell(text, { cwd: known(cwd), programs, world: world.fork() }));
}

function commandOf(call: ToolCall): string | null {
  const text = textIn(call.input, 'command', 'cmd', 'command_line', 'script', 'commandLine');
  if (text !== null) return text;
  const list = listOf(call.input['command'] ?? call.input['commands']);
  if (!list || list.length === 0 || !list.every((item) => typeof item === 'string')) return null;
  if (call.input['command'] === undefined) return list.join('\n');
  return TAKES_LIST.test(call.rawTool) ? list.map((word) => quoted(word as string)).join(' ') : null;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
