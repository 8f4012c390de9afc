import { isSecretName } from './names.ts';
import { isPlaceholder } from './placeholder.ts';

/** A stretch of one word that is a secret: indices into the word's text. */
export interface WordSecret {
  readonly word: number;
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** How a tool takes passwords in options whose names don't say so. From each tool's manual page. */
interface Habit {
  /** The next word is the secret. */
  readonly next?: readonly string[];
  /** The rest of the same word is the secret. */
  readonly joined?: readonly string[];
  /** The next word is `user<mark>secret`. */
  readonly pair?: readonly string[];
  readonly mark?: string;
  /** Only behind this subcommand. */
  readonly after?: string;
  /** The subcommand is the very next word. */
  readonly first?: true;
  /** The word behind the subcommand is the secret, if it is no option. */
  readonly operand?: true;
  /** With an option that matches, the last word is the secret. */
  readonly last?: RegExp;
}

const MYSQL: Habit = { joined: ['-p'] };
const REGISTRY: Habit = { next: ['-p'], after: 'login' };
const HABITS: ReadonlyMap<string, Habit> = new Map<string, Habit>([
  ['curl', { pair: ['-u', '--user', '-U', '--proxy-user'], next: ['--pass', '--proxy-pass', '--oauth2-bearer'] }],
  ...[
    'mysql',
    'mysqldump',
    'mysqladmin',
    'mysqlimport',
    'mysqlshow',
    'mysqlcheck',
    'mysqlslap',
    'mariadb',
    'mariadb-dump',
    'mariadb-admin',
    'mycli',
  ].map((t) => [t, MYSQL] as const),
  ['sshpass', { next: ['-p'], joined: ['-p'] }],
  ...['docker', 'podman', 'nerdctl', 'buildah', 'oras', 'az', 'oc', 'helm', 'cf', 'acr'].map(
    (t) => [t, REGISTRY] as const,
  ),
  ['skopeo', { pair: ['--creds', '--src-creds', '--dest-creds'] }],
  ['redis-cli', { next: ['-a', '--pass'] }],
  ...['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport', 'mongoimport'].map(
    (t) => [t, { next: ['-p'] }] as const,
  ),
  ...['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapdelete', 'ldapwhoami', 'ldappasswd'].map(
    (t) => [t, { next: ['-w'], joined: ['-w'] }] as const,
  ),
  ...['7z', '7za', '7zr', '7zz', 'rar', 'unrar'].map((t) => [t, { joined: ['-p'] }] as const),
  ...['zip', 'unzip'].map((t) => [t, { next: ['-P'], joined: ['-P'] }] as const),
  ['sqlcmd', { next: ['-P'], joined: ['-P'] }],
  ['bcp', { next: ['-P'], joined: ['-P'] }],
  ['smbclient', { pair: ['-U', '--user'], mark: '%' }],
  ['lftp', { pair: ['-u', '--user'], mark: ',' }],
  ['http', { pair: ['-a', '--auth'] }],
  ['https', { pair: ['-a', '--auth'] }],
  ['xh', { pair: ['-a', '--auth'] }],
  ['ab', { pair: ['-A', '-P'] }],
  ['openssl', { next: ['-k', '-K'] }],
  ['gh', { next: ['-b', '--body'], after: 'secret', first: true }],
  ['vault', { operand: true, after: 'login' }],
  ['htpasswd', { last: /^-[A-Za-z]*b/ }],
  ['twine', { next: ['-p'] }],
  ['cadaver', { next: ['-p'] }],
  ['ipmitool', { next: ['-P'] }],
  ['snmpwalk', { next: ['-A', '-X'] }],
]);

/** Cheap look for any of the tools, so that ordinary text isn't split into words. */
export const TOOLS = new RegExp(
  `(?:(?<![\\w.\\-\\u0080-\\uffff])|(?<=\\\\[bfnrt])|(?<=\\\\u[0-9a-f]{4}))(?:${[...HABITS.keys()].join('|')})(?![\\w.])`,
  'g',
);

const STOP = /^(?:flag|option|argument|parameter|is|and|or|to|for|the|a|an|in|with|from|of|on|as)$/i;

/** Secrets among the words of a command: values of options that are, by name or by the tool's habit, passwords. */
export function findInWords(words: readonly string[]): WordSecret[] {
  const found: WordSecret[] = [];
  let tool: Habit | undefined;
  let open = false;
  const take = (word: number, start: number, kind: string): void => {
    const text = words[word];
    if (text === undefined || start >= text.length) return;
    const value = text.slice(start);
    if (value.length < 3 || isPlaceholder(value) || (start === 0 && (value.startsWith('-') || STOP.test(value))))
      return;
    found.push({ word, start, end: text.length, kind });
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const habit = HABITS.get(word.slice(word.lastIndexOf('/') + 1));
    if (habit !== undefined && !word.startsWith('-')) {
      tool = habit;
      open = habit.after === undefined;
      continue;
    }
    if (tool?.after === word && (!tool.first || HABITS.get(words[i - 1] ?? '') === tool)) {
      open = true;
      // Prose speaks of the subcommand, too: what follows must look like a token.
      if (tool.operand && /^(?=.*\d)[^=]{8,}$/.test(words[i + 1] ?? '')) take(i + 1, 0, 'password');
    }
    if (tool?.last?.test(word)) {
      const end = words.findIndex((w) => /^\d*[<>]/.test(w));
      const last = (end < 0 ? words.length : end) - 1;
      if (last > i) take(last, 0, 'password');
    }
    if (word.startsWith('--') && !word.includes('=') && isSecretName(word.slice(2))) take(i + 1, 0, 'password');
    if (/^-{1,2}pass(?:in|out)?$/.test(word)) takePass(words, i + 1, take);
    if (tool !== undefined && open && word.startsWith('-')) takeByHabit(tool, words, i, take);
    if (word === 'set' && isSecretName(words[i + 1] ?? '')) take(i + 2, 0, 'secret'); // `config set NAME VALUE`
  }
  return found;
}

type Take = (word: number, start: number, kind: string) => void;

/** openssl's `-passin pass:SECRET`. */
function takePass(words: readonly string[], at: number, take: Take): void {
  if (words[at]?.startsWith('pass:')) take(at, 5, 'password');
}

function takeByHabit(tool: Habit, words: readonly string[], i: number, take: Take): void {
  const word = words[i] ?? '';
  if (tool.next?.includes(word)) return take(i + 1, 0, 'password');
  if (tool.pair !== undefined) {
    const mark = tool.mark ?? ':';
    const next = words[i + 1] ?? '';
    if (tool.pair.includes(word))
      return next.indexOf(mark) >= 0 ? take(i + 1, next.indexOf(mark) + 1, 'password') : undefined;
    const inline = tool.pair.find(
      (option) => word.startsWith(`${option}=`) || (option.length === 2 && word.startsWith(option)),
    );
    if (inline === undefined) return;
    const at = word.indexOf(mark, inline.length);
    if (at > 0) take(i, at + 1, 'password');
    return;
  }
  const joined = tool.joined?.find((option) => word.startsWith(option) && word.length > option.length);
  if (joined !== undefined && !word.startsWith('--')) take(i, joined.length, 'password');
}

interface PlacedWord {
  readonly text: string;
  readonly start: number;
}

const MAX_SEGMENT = 16_384;

/** The words of one simple command from `from` on, quotes taken off, each with its place; and where it ends. */
export function splitWords(
  text: string,
  from: number,
): { readonly words: readonly PlacedWord[]; readonly end: number } {
  const words: PlacedWord[] = [];
  const most = Math.min(text.length, from + MAX_SEGMENT);
  let at = from;
  while (at < most) {
    const c = text[at] ?? '';
    if (c === '\n' || c === ';' || c === '|' || c === '&' || c === ')') break;
    const continued = c === '\\' && text[at + 1] === '\n';
    if (continued || /\s/.test(c)) {
      at += continued ? 2 : 1;
      continue;
    }
    const end = wordEnd(text, at, most);
    const quoted = (c === '"' || c === "'") && end - at >= 2 && text[end - 1] === c;
    const start = quoted ? at + 1 : at;
    words.push({ text: text.slice(start, quoted ? end - 1 : end), start });
    at = end;
  }
  return { words, end: Math.max(at, from + 1) };
}

/** The end of a shell word: quoted stretches belong to it whatever they hold. */
function wordEnd(text: string, from: number, most: number): number {
  let at = from;
  while (at < most && !/[\s;|&)]/.test(text[at] ?? '')) {
    const c = text[at];
    const close = c === '"' || c === "'" ? text.indexOf(c, at + 1) : -1;
    at = close > 0 && close < most ? close + 1 : at + 1;
  }
  return Math.min(at, most);
}
