/** A piece of program text. */
export type Token =
  | (TokenBase & { readonly t: 'name'; readonly text: string })
  | (TokenBase & { readonly t: 'number'; readonly text: string })
  | (TokenBase & { readonly t: 'op'; readonly text: string })
  /** A string; `code` parts are expressions put into it. `prefix` is Python's letter or `` ` `` for a template. */
  | (TokenBase & { readonly t: 'string'; readonly parts: readonly StringPart[]; readonly prefix: string })
  /** Text for a shell: backticks, qx, %x. */
  | (TokenBase & { readonly t: 'shell'; readonly parts: readonly StringPart[] })
  /** A list of words: qw(a b), %w[a b]. */
  | (TokenBase & { readonly t: 'words'; readonly items: readonly string[] })
  /** A regular expression; `code` is a replacement that is run. */
  | (TokenBase & { readonly t: 'regex'; readonly code: string | null });

interface TokenBase {
  /** Columns of white space before the first token of its line; -1 inside brackets that were opened on an earlier line. */
  readonly indent: number;
  /** First of its line, outside brackets. */
  readonly first: boolean;
  /** White space stands before it. */
  readonly spaced: boolean;
}

export type StringPart = string | { readonly code: string };

/** How a language writes its text. */
export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [string, string])[];
  /** Quotes → how the text between them is read. */
  readonly quotes: ReadonlyMap<string, Quote>;
  /** `/` may open a regular expression. */
  readonly regex: boolean;
  /** Perl's and Ruby's quote-like operators and `<<HERE`. */
  readonly quoteLike?: 'perl' | 'ruby';
  readonly heredoc: boolean;
  /** Operator that joins texts, beside `+`. */
  readonly joiner: string;
  /** What leads to a member: `.`, `->`, `::`. */
  readonly members: readonly string[];
  /** Variables begin with a sigil. */
  readonly sigils: boolean;
  /** Letters that may stand before a string (`rb'…'`), and blocks shown by indentation: Python. */
  readonly prefixes: boolean;
  /** What a name looks like; sticky. */
  readonly name: RegExp;
}

export interface Quote {
  /** What opens code inside: `{` (with f), `${`, `#{`, `$` (sigil variables). */
  readonly interpolates: 'never' | 'braces' | 'dollar-brace' | 'hash-brace' | 'sigils';
  /** `full`: \n, \x41 …; `quote`: only the quote and the backslash. */
  readonly escapes: 'full' | 'quote' | 'none';
  /** Text for a shell. */
  readonly shell?: boolean;
  readonly multiline?: boolean;
}
