import { concat, type Value } from '../model/value.ts';
import { windowsPath, windowsWords } from './windows-text.ts';

/** Cmdlets that list what lies somewhere. */
export const LISTS = /^(?:get-childitem|gci|ls|dir|get-item|gi)$/i;
/** `(New-Object Net.WebClient).UploadFile('https://…', 'path')`. */
export const WEB_CLIENT =
  /\.(UploadFile|UploadString|UploadData|DownloadFile)(?:Async|TaskAsync)?\(\s*["']([^"']*)["']\s*,\s*["']([^"']*)["']/gi;
/** `[IO.File]::Delete('path')` and its like. */
export const DOTNET =
  /\[(?:System\.)?IO\.(?:File|Directory)\]::(\w+)\(\s*["']([^"']*)["'](?:\s*,\s*["']([^"']*)["'])?/gi;

/** A path of the registry. */
export function isRegistry(path: string): boolean {
  return /^(?:HK(?:CU|LM|CR|U|CC):|Registry::|HKEY_)/i.test(path);
}

/** What a listing shows, as patterns. */
export function listing(words: readonly string[], home: string): readonly Value[] {
  const bases = pathsOf(words).map((path) => windowsPath(path, home));
  const filter = valueAfter(words, /^-(?:fi(?:l(?:t(?:er?)?)?)?|inc(?:lude)?)$/i);
  if (filter === null) return bases.length > 0 ? bases : [[{ glob: '*' }]];
  return bases.length > 0
    ? bases.map((base) => concat(base, ['/'], windowsPath(filter, home)))
    : [windowsPath(filter, home)];
}

/** The word behind an option. */
export function valueAfter(words: readonly string[], option: RegExp): string | null {
  const at = words.findIndex((word) => option.test(word));
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** A variable that was set to a plain text, as that text. */
export function textHeld(name: string, values: ReadonlyMap<string, string>): string {
  const text = /^\$\w+$/.test(name) ? values.get(name.slice(1).toLowerCase()) : undefined;
  const literal = text === undefined ? null : /^(["'])([^"'$]*)\1$/.exec(text.trim());
  return literal ? (literal[2] as string) : name;
}

/** The program and arguments of Start-Process: one text is a line of its own, several are arguments. */
export function started(rest: readonly string[]): readonly string[] {
  const at = rest.findIndex((word) => /^-arg/i.test(word));
  if (at < 0) return pathsOf(rest).flatMap(windowsWords);
  const end = rest.findIndex(
    (word, i) =>
      i > at + 1 &&
      /^-(?:wait|nonewwindow|verb|passthru|workingdirectory|windowstyle|redirect\w*|filepath|credential)$/i.test(word),
  );
  const given = rest.slice(at + 1, end < 0 ? rest.length : end);
  const named = valueAfter(rest, /^-filep/i);
  const program = named ?? rest.slice(0, at).find((word) => !/^-/.test(word)) ?? '';
  return [program, ...(given.length === 1 ? windowsWords(given[0] as string) : given)];
}

/** Words that are not options or values of options that take one. */
export function pathsOf(words: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at] as string;
    if (
      /^-(value|encoding|filter|exclude|include|itemtype|pattern|method|headers|body|argumentlist|name|id|erroraction|ea|type|timeoutsec|uri|useragent|depth|totalcount|head|tail)$/i.test(
        text,
      )
    ) {
      if (/^-(name|id|argumentlist)$/i.test(text) && words[at + 1]) out.push(words[at + 1] as string);
      at++;
    } else if (!/^-[a-zA-Z]/.test(text)) out.push(text);
  }
  return out;
}
