import { programs } from '../programs/index.ts';
import { type Fields, listOf, textIn } from './fields.ts';
import { wordsOf } from './tool-words.ts';

const COMMAND_FIELDS = [
  'command',
  'cmd',
  'script',
  'shell',
  'commands',
  'bash',
  'run',
  'exec',
  'argv',
  'shell_command',
  'shell_script',
  'command_line',
  'commandLine',
  'cli_command',
];
/** Fields of which a text is a command only if it looks like one: `run` may be a number or a name. */
const LOOSE = new Set(['run', 'exec']);

/** Shell text in the fields of a tool that is known by its name only. */
export function scriptsOf(
  input: Fields,
  mcp: { readonly server: string; readonly tool: string } | null,
): readonly string[] {
  const found: string[] = [];
  for (const field of COMMAND_FIELDS) {
    const value = input[field];
    if (typeof value === 'string') {
      if (LOOSE.has(field) && !/\s/.test(value)) continue;
      found.push(withProgram([value, ...argumentsOf(input)].join(' '), mcp));
    } else {
      const list = textsOf(value);
      if (list.length > 0) found.push(field === 'commands' ? list.join('\n') : list.map(quoted).join(' '));
    }
  }
  if (found.length === 0) {
    const words = argumentsOf(input);
    const program = textIn(input, 'program', 'executable', 'binary');
    if (program !== null && Array.isArray(input['args'] ?? input['arguments']))
      found.push([quoted(program), ...words].join(' '));
    // `terraform`, `docker_run`: the tool is the program, or it with a subcommand.
    const [own = '', ...verb] = mcp ? mcp.tool.split(/[_-]/) : [];
    const client = mcp && programs.has(mcp.tool) ? mcp.tool : CLIENTS.test(own) ? [own, ...verb].join(' ') : null;
    if (client !== null && words.length > 0) found.push(`${client} ${words.join(' ')}`);
  }
  return found;
}

/** A tool of a server that is named after a program takes the program's arguments: `terraform` with `destroy`. */
function withProgram(text: string, mcp: { readonly server: string; readonly tool: string } | null): string {
  const first = text.trimStart().split(/\s/)[0] as string;
  if (!mcp || programs.has(first.slice(first.lastIndexOf('/') + 1))) return text;
  const own = [mcp.tool, mcp.server].find((name) => CLIENTS.test(name));
  if (own) return `${own} ${text}`;
  return /redis|valkey/i.test(mcp.server) ? `redis-cli ${text}` : text;
}

const CLIENTS = /^(?:git|gh|kubectl|helm|terraform|tofu|pulumi|aws|gcloud|az|docker|podman|psql|mysql|redis-cli)$/;

function argumentsOf(input: Fields): readonly string[] {
  const given = input['args'] ?? input['arguments'];
  if (typeof given === 'string') return [given];
  return textsOf(given).map(quoted);
}

function textsOf(value: unknown): readonly string[] {
  return (listOf(value) ?? []).filter((item): item is string => typeof item === 'string');
}

const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:python3?|py|ipython)$/i, 'python3 -c'],
  [/^(?:javascript|js|node|nodejs|typescript|ts)$/i, 'node -e'],
  [/^(?:bash|sh|shell|zsh|shellscript)$/i, 'bash -c'],
  [/^(?:ruby|rb)$/i, 'ruby -e'],
  [/^php$/i, 'php -r'],
  [/^perl$/i, 'perl -e'],
  [/^applescript$/i, 'osascript -e'],
  [/^(?:powershell|pwsh)$/i, 'pwsh -Command'],
];

/** Program text in another language, as the command that would run it on this machine. */
export function codeOf(input: Fields, name: string): readonly string[] {
  if (/sandbox|e2b|remote/i.test(name)) return [];
  const inBrowser = /brows|playwright|puppeteer|selenium|devtools/i.test(name);
  if (inBrowser && !/run_?code/i.test(name)) return [];
  const text = textIn(
    input,
    'code',
    'source_code',
    'python_code',
    'snippet',
    ...(/jupyter|notebook|cell/i.test(name) && /exec|run/i.test(name) ? ['cell_source', 'source', 'cell_content'] : []),
    ...(/applescript|python/i.test(name) ? ['script'] : []),
  );
  if (text === null) return [];
  // A page's script reaches this machine only by way of Node.
  if (inBrowser)
    return /\brequire\(|\bimport\(|child_process|\bprocess\./.test(text) ? [`node -e ${quoted(text)}`] : [];
  const language =
    textIn(input, 'language', 'lang', 'languageId', 'language_id', 'runtime', 'kernel') ?? languageIn(name);
  const row = LANGUAGES.find(([pattern]) => pattern.test(language));
  if (!row) return [];
  if (row[1] !== 'python3 -c') return [`${row[1]} ${quoted(text)}`];
  // IPython takes lines behind `!` for shell text, and `%` for its own commands.
  const lines = text.split('\n');
  const shell = lines.filter((line) => /^\s*!/.test(line)).map((line) => line.trim().replace(/^!+/, ''));
  const code = lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n');
  return [...shell, `${row[1]} ${quoted(code)}`];
}

/** What a tool types into a running program, where its name says that it does. */
export function typedIn(input: Fields, name: string): readonly string[] {
  const words = wordsOf(name);
  const types = words.some((word) => /^(?:write|send|interact|type|input|feed)$/.test(word));
  const into = words.some((word) =>
    /^(?:stdin|process|terminal|keys|session|shell|tmux|pty|console|iterm)$/.test(word),
  );
  if (!types || !into || /brows|playwright|puppeteer/i.test(name)) return [];
  const text = textIn(input, 'input', 'chars', 'keys', 'text', 'data', 'stdin');
  return text === null || text.trim() === '' ? [] : [text];
}

function languageIn(name: string): string {
  if (/python|jupyter|notebook|ipython|execute_?(?:\w+_)?code|blender/i.test(name)) return 'python';
  if (/javascript|(?:^|_)(?:js|node|deno|bun)(?:_|$)/i.test(name)) return 'javascript';
  return /applescript|osascript/i.exec(name) ? 'applescript' : '';
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
