/** What running a task means: its commands, those that dynamic variables and checks run, other tasks. */
interface Task {
  readonly commands: readonly string[];
  /** `sh:` of variables, status and preconditions: they run in a dry run as well. */
  readonly checks: readonly string[];
  readonly needs: readonly string[];
}

const MOST_TASKS = 200;

/** Commands of the named tasks of a Taskfile and of what they need, in order (taskfile.dev/reference/schema). */
export function taskfileCommands(text: string, names: readonly string[], dry: boolean): readonly string[] {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => /^tasks:/.test(line));
  const found: string[] = [...taskOf(head < 0 ? lines : lines.slice(0, head)).checks];
  const done = new Set<string>();
  const visit = (name: string): void => {
    if (done.has(name) || done.size > MOST_TASKS) return;
    done.add(name);
    const task = taskOf(linesOf(lines, name));
    for (const need of task.needs) visit(need);
    found.push(...task.checks, ...(dry ? [] : task.commands));
  };
  for (const name of names) visit(name);
  return found;
}

function linesOf(lines: readonly string[], name: string): readonly string[] {
  const start = lines.findIndex((line) => {
    const key = /^ {2}(["']?)([^"'\s#][^"']*?)\1:(?:\s|$)/.exec(line)?.[2];
    return key === name;
  });
  if (start < 0) return [];
  const inline = /^ {2}[^:]+:\s+(\S.*)$/.exec(lines[start] as string)?.[1];
  const end = lines.findIndex((line, at) => at > start && /^ {0,2}[^\s#]/.test(line));
  const body = lines.slice(start + 1, end < 0 ? lines.length : end);
  return inline ? [`    cmd: ${inline}`, ...body] : body;
}

function taskOf(lines: readonly string[]): Task {
  const commands: string[] = [];
  const checks: string[] = [];
  const needs: string[] = [];
  let section = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const [, space = '', dash = '', key = '', rest = ''] = /^(\s*)(-\s+)?(?:([\w-]+):(?:\s+|$))?(.*)$/.exec(line) ?? [];
    if (key !== '' && dash === '' && rest.trim() === '') section = key;
    const flow = /^\[(.*)\]\s*$/.exec(rest)?.[1]?.split(/,\s*/);
    const texts = flow ?? [/^[|>][+-]?\d*\s*$/.test(rest) ? block(lines, at, space.length) : rest];
    const plain = texts.map(unquoted).filter((one) => one !== '');
    if (key === 'sh') checks.push(...plain);
    else if (key === 'task') needs.push(...plain);
    else if (key === 'deps' || (section === 'deps' && dash !== '' && key === '')) needs.push(...plain);
    else if (key === 'cmd' || key === 'cmds' || key === 'defer') commands.push(...plain);
    else if (key === 'status' || (section === 'status' && dash !== '' && key === '')) checks.push(...plain);
    else if (dash !== '' && key === '' && /^(cmds?|)$/.test(section)) commands.push(...plain);
  }
  return { commands, checks, needs };
}

/** A text over several lines, each further in than the line that announces it. */
function block(lines: readonly string[], at: number, indent: number): string {
  const body: string[] = [];
  for (const line of lines.slice(at + 1)) {
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent) break;
    body.push(line.trim());
  }
  return body.join('\n').trim();
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
