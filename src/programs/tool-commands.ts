/** Settings files in which tools find commands to run. */
export type Source = 'tox' | 'poe' | 'pre-commit' | 'lefthook' | 'lint-staged' | 'cmake' | 'go-generate';

const READ = 100_000;

/** The commands that a settings file holds; `verb`: the task that was asked for, where the file holds several. */
export function commandsOf(source: Source, text: string, verb: string): readonly string[] {
  if (text.length > READ) return [];
  switch (source) {
    case 'tox':
      return toxCommands(text);
    case 'poe':
      return poeTask(text, verb);
    case 'pre-commit':
      return values(text, /^\s*(?:-\s*)?entry:\s*(.+)$/);
    case 'lefthook':
      return values(text, /^\s*(?:-\s*)?run:\s*(.+)$/);
    case 'lint-staged':
      return stringsIn(text);
    case 'cmake':
      return cmakeCommands(text, verb === 'configure');
    case 'go-generate':
      return values(text, /^\/\/go:generate\s+(.+)$/);
  }
}

function values(text: string, line: RegExp): readonly string[] {
  return text.split('\n').flatMap((one) => {
    const match = line.exec(one.trimEnd());
    return match ? [unquoted((match[1] as string).trim())] : [];
  });
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** `commands = …` and its continuation lines; `{envdir}` and the like lie below .tox, `{posargs}` is the caller's. */
function toxCommands(text: string): readonly string[] {
  const found: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const start = /^commands(?:_pre|_post)?\s*=\s*(.*)$/.exec(line);
    inside = start !== null || (inside && /^\s+\S/.test(line));
    const command = (start ? (start[1] as string) : inside ? line.trim() : '').replace(/^[-!]\s*/, '');
    if (command !== '' && !command.startsWith('#'))
      found.push(command.replace(/\{posargs[^}]*\}/g, '').replace(/\{[^{}]*\}/g, '.tox/x'));
  }
  return found;
}

/** A task of `[tool.poe.tasks]`: a text, or the member `cmd`, `shell` of its table. */
function poeTask(text: string, verb: string): readonly string[] {
  const found: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[+([^\]]+)\]+\s*$/.exec(line);
    if (head) section = (head[1] as string).trim();
    const entry = /^\s*"?([\w.:-]+)"?\s*=\s*(.+)$/.exec(line);
    if (!entry) continue;
    const [, key = '', value = ''] = entry;
    const task = section === 'tool.poe.tasks' ? key : section.replace(/^tool\.poe\.tasks\./, '');
    const ours = section === 'tool.poe.tasks' || section.startsWith('tool.poe.tasks.');
    if (!ours || task.split('.')[0] !== verb) continue;
    const plain = /^(["']).*\1$/.test(value.trim());
    const table = [...value.matchAll(/\b(?:cmd|shell)\s*=\s*"((?:[^"\\]|\\.)*)"/g)].map((m) => m[1] as string);
    found.push(...(plain ? [unquoted(value.trim())] : table));
  }
  return found;
}

/** Texts of a JSON object of patterns and commands, or the values of a simple YAML one. */
function stringsIn(text: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return [];
    return Object.values(parsed)
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .filter(isText);
  } catch {
    return values(text, /^\s*(?:-|["']?[^\s:"']+["']?:)\s*(.+)$/);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const KEYWORDS =
  /^(WORKING_DIRECTORY|RESULT_VARIABLE|RESULTS_VARIABLE|OUTPUT_VARIABLE|ERROR_VARIABLE|OUTPUT_QUIET|ERROR_QUIET|TIMEOUT|DEPENDS|COMMENT|VERBATIM|OUTPUT|BYPRODUCTS|INPUT_FILE|OUTPUT_FILE|ERROR_FILE|COMMAND_ECHO|COMMAND_ERROR_IS_FATAL|USES_TERMINAL|PRE_BUILD|POST_BUILD|PRE_LINK|TARGET|SOURCES|ALL)$/;

/** What follows each COMMAND: of execute_process, which configuring runs, or of targets too. Variables are build places. */
function cmakeCommands(text: string, configuring: boolean): readonly string[] {
  const found: string[] = [];
  const code = text.replace(/^\s*#.*$/gm, '');
  const pattern = configuring ? /\bexecute_process\s*\(\s*COMMAND\s+([^()]*)/gi : /\bCOMMAND\s+([^()]*)/g;
  for (const match of code.matchAll(pattern)) {
    const list = (match[1] as string).match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
    const end = list.findIndex((one) => KEYWORDS.test(one) || one === 'COMMAND');
    const own = (end < 0 ? list : list.slice(0, end)).map((one) =>
      one.replace(/\$\{CMAKE_COMMAND\}/g, 'cmake').replace(/\$\{[^}]*\}|\$<[^>]*>/g, 'build'),
    );
    if (own.length > 0) found.push(own.join(' '));
  }
  return found;
}
