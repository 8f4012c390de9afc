import { known, render, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, word } from './drafts.ts';
import type { OptionLines } from './options.ts';
import { servesFiles } from './serving.ts';

/** A program that shows a directory to whoever reaches its port. */
interface Row {
  readonly names: string;
  readonly manual: string;
  readonly options: OptionLines;
  /** Options that name the directory. */
  readonly at: readonly string[];
  /** The first operand names it. */
  readonly operand?: boolean;
  /** Subcommands that serve; any if left out. */
  readonly on?: RegExp;
  readonly singleDashLong?: boolean;
}

const ROWS: readonly Row[] = [
  {
    names: 'httpd',
    manual: 'busybox httpd: -h HOME',
    options: 'p port:, h home:, f, i, v, u:, r:, c:, d:, m:, e:',
    at: ['h'],
  },
  {
    names: 'caddy',
    manual: 'caddy file-server',
    options: 'r root:, l listen:, d domain:, b browse, t templates, config:, adapter:, from:, to:',
    at: ['root'],
    on: /^file-server$/,
  },
  {
    names: 'darkhttpd miniserve simplehttp2server servor webfsd thttpd mini_httpd mongoose dufs gossa',
    manual: 'darkhttpd(8), miniserve, webfsd(1), thttpd(8)',
    options: 'p port:, i interfaces addr:, r root:, d dir:, l log:, u user:, a auth:, b bind:, A, q, v',
    at: ['root', 'dir'],
    operand: true,
  },
  {
    names: 'twistd twistd3 twist',
    manual: 'twistd(1): web --path',
    options: 'n nodaemon, path:, p port:, listen:, l logfile:, pidfile:, y python:',
    at: ['path'],
    on: /^web$/,
  },
  {
    names: 'svnserve',
    manual: 'svnserve(8)',
    options: 'r root:, d daemon, listen-port:, listen-host:, T, i',
    at: ['root'],
  },
  {
    names: 'jwebserver',
    manual: 'jwebserver(1)',
    options: 'd directory:, b bind-address:, p port:, o output:',
    at: ['directory'],
  },
  {
    names: 'simplehttpserver goshs',
    manual: 'simplehttpserver, goshs',
    options: 'path:, d dir:, p port:, listen:, i ip:, u upload',
    at: ['path', 'dir'],
    singleDashLong: true,
  },
];

/** Servers of files that do nothing else. */
export const fileServers: readonly Program[] = ROWS.map((row) =>
  define({
    names: words(row.names),
    manual: row.manual,
    summary: 'serves the files of a directory',
    options: `${row.options}, help, version`,
    style: { singleDashLong: row.singleDashLong ?? false, abbreviations: false },
    run: (args, inv) => {
      if (args.has('help', 'version')) return {};
      const verb = word(args.operands[0]);
      if (row.on && !row.on.test(verb)) return { subcommand: verb };
      const directory: Value | null = args.values(...row.at)[0] ?? (row.operand ? (args.operands[0] ?? null) : null);
      return {
        ...(row.on ? { subcommand: verb } : {}),
        files: drafts('list', directory ? [directory] : []),
        effects: servesFiles(inv, directory, render(args.value('port', 'listen') ?? known('80'))),
      };
    },
  }),
);
