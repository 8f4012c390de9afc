import type { Quote, Syntax } from './token.ts';

/** Languages the scanner reads. */
export type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'r' | 'groovy' | 'julia' | 'elixir';

const plain: Quote = { interpolates: 'never', escapes: 'full' };
const single: Quote = { interpolates: 'never', escapes: 'quote', multiline: true };
const raw: Quote = { interpolates: 'never', escapes: 'none', multiline: true };

const base: Omit<Syntax, 'quotes'> = {
  lineComments: ['#'],
  blockComments: [],
  regex: false,
  heredoc: false,
  joiner: '+',
  members: ['.'],
  sigils: false,
  prefixes: false,
  name: /[\p{L}\p{Nl}_\p{Co}][\p{L}\p{N}_\p{Co}]*/uy,
};

const ruby = /[\p{L}\p{Nl}_\p{Co}][\p{L}\p{N}_\p{Co}]*(?:[!?](?!=))?/uy;

const cComments = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']] as const,
};

/** How each language writes comments, strings and members. */
export const syntaxes: Readonly<Record<Language, Syntax>> = {
  python: {
    ...base,
    prefixes: true,
    quotes: new Map([
      ['"""', { ...plain, multiline: true }],
      ["'''", { ...plain, multiline: true }],
      ['"', plain],
      ["'", plain],
    ]),
  },
  node: {
    ...base,
    ...cComments,
    regex: true,
    members: ['?.', '.'],
    name: /[\p{L}\p{Nl}_$\p{Co}][\p{L}\p{N}_$\p{Co}]*/uy,
    quotes: new Map<string, Quote>([
      ['"', plain],
      ["'", plain],
      ['`', { interpolates: 'dollar-brace', escapes: 'full', multiline: true }],
    ]),
  },
  perl: {
    ...base,
    regex: true,
    quoteLike: 'perl',
    heredoc: true,
    joiner: '.',
    members: ['->', '::'],
    sigils: true,
    quotes: new Map<string, Quote>([
      ['"', { interpolates: 'sigils', escapes: 'full', multiline: true }],
      ["'", single],
      ['`', { interpolates: 'sigils', escapes: 'full', shell: true, multiline: true }],
    ]),
  },
  ruby: {
    ...base,
    regex: true,
    quoteLike: 'ruby',
    name: ruby,
    heredoc: true,
    members: ['&.', '::', '.'],
    blockComments: [['\n=begin', '\n=end']],
    quotes: new Map<string, Quote>([
      ['"', { interpolates: 'hash-brace', escapes: 'full', multiline: true }],
      ["'", single],
      ['`', { interpolates: 'hash-brace', escapes: 'full', shell: true, multiline: true }],
    ]),
  },
  php: {
    ...base,
    lineComments: ['//', '#'],
    blockComments: [['/*', '*/']],
    joiner: '.',
    heredoc: true,
    members: ['?->', '->', '::'],
    sigils: true,
    quotes: new Map<string, Quote>([
      ['"', { interpolates: 'sigils', escapes: 'full', multiline: true }],
      ["'", single],
      ['`', { interpolates: 'sigils', escapes: 'full', shell: true, multiline: true }],
    ]),
  },
  lua: {
    ...base,
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    joiner: '..',
    members: ['.', ':'],
    quotes: new Map([
      ['"', plain],
      ["'", plain],
    ]),
  },
  r: {
    ...base,
    members: ['::', '$'],
    name: /[\p{L}_.\p{Co}][\p{L}\p{N}_.\p{Co}]*/uy,
    quotes: new Map([
      ['"', { ...plain, multiline: true }],
      ["'", { ...plain, multiline: true }],
    ]),
  },
  groovy: {
    ...base,
    ...cComments,
    members: ['?.', '.'],
    quotes: new Map<string, Quote>([
      ['"""', { interpolates: 'dollar-brace', escapes: 'full', multiline: true }],
      ["'''", { ...plain, multiline: true }],
      ['"', { interpolates: 'dollar-brace', escapes: 'full' }],
      ["'", plain],
    ]),
  },
  julia: {
    ...base,
    blockComments: [['#=', '=#']],
    joiner: '*',
    quotes: new Map<string, Quote>([
      ['"""', { interpolates: 'sigils', escapes: 'full', multiline: true }],
      ['"', { interpolates: 'sigils', escapes: 'full', multiline: true }],
      ['`', { interpolates: 'sigils', escapes: 'full', shell: true }],
      ["'", plain],
    ]),
  },
  elixir: {
    ...base,
    joiner: '<>',
    name: ruby,
    members: ['.'],
    quotes: new Map<string, Quote>([
      ['"""', { interpolates: 'hash-brace', escapes: 'full', multiline: true }],
      ['"', { interpolates: 'hash-brace', escapes: 'full', multiline: true }],
      ["'", { interpolates: 'hash-brace', escapes: 'full', multiline: true }],
    ]),
  },
};

export { raw as rawQuote };
