import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { wholeEnvironment } from './coreutils-print.ts';
import { define, type Program, words } from './define.ts';
import { drafts, reads, word } from './drafts.ts';
import { changedInPlace } from './in-place.ts';
import { foldJq } from './jq-fold.ts';
import { strangeCode } from './named-programs.ts';
import { isSecretName } from './secret-names.ts';
import { contentOf, folded } from './streams.ts';

/** jq options that take two words (a name and a value or file). */
const PAIRS = new Map([
  ['arg', 'text'],
  ['argjson', 'text'],
  ['slurpfile', 'file'],
  ['rawfile', 'file'],
  ['argfile', 'file'],
]);

/** Programs that query and change JSON, YAML, TOML and XML. */
export const jsonTools: readonly Program[] = [
  define({
    names: ['jq', 'gojq', 'jaq', 'xq', 'tomlq', 'jqp'],
    manual: 'jq(1): `env` and `$ENV` are the environment',
    summary: 'runs a query on JSON',
    run: (_args, invocation) => {
      const line = readJq(invocation.argv);
      const [program, ...paths] = line.program ? [line.program, ...line.operands] : line.operands;
      const text = line.fromFile ? render(contentOf(invocation, line.fromFile).value ?? []) : render(program ?? []);
      const inputs = line.fromFile && !line.program ? line.operands : paths;
      const files: FileDraft[] = [
        ...reads([...line.files, ...(line.fromFile ? [line.fromFile] : []), ...inputs]),
        ...(line.flags.includes('i') && invocation.name === 'jaq'
          ? changedInPlace(invocation, inputs, (old) => foldJq(text, old, line.given))
          : []),
      ];
      const plain = line.flags.every((flag) =>
        /^(M|c|compact-output|arg|argjson|monochrome-output|indent|i)$/.test(flag),
      );
      const compact = line.flags.some((flag) => flag === 'c' || flag === 'compact-output');
      const printed = plain ? folded(invocation, inputs, (old) => foldJq(text, old, line.given, compact)) : {};
      return { files, flags: line.flags, operands: line.operands, ...printed, ...environmentOf(text) };
    },
  }),
  define({
    names: ['yq', 'dasel', 'tq', 'yamlpath', 'yaml-set'],
    manual: 'yq(1), mikefarah: -i writes the file; env(), strenv(), load()',
    summary: 'queries and changes YAML',
    options:
      'i inplace in-place, e exit-status, n null-input, P prettyPrint, o output-format:, p input-format:, I indent:, r unwrapScalar, N no-doc, s split-exp:, split-exp-file:, f front-matter:, from-file:, C colors, M no-colors, j tojson, v verbose, y, Y yaml-output, w:, arg:, header-preprocess, xml-attribute-prefix:, csv-separator:, file:, selector:, put, write:, read:, type:, value:',
    run: (args, invocation) => {
      const { name } = invocation;
      const verb = /^(e|ea|eval|eval-all|query|put|select|delete|get|set|format|fmt|lint|check)$/.test(
        word(args.operands[0]),
      );
      const rest = args.operands.slice(verb ? 1 : 0);
      const [expression] = rest;
      // With a single operand that is a file, yq prints the file.
      const single =
        rest.length === 1 &&
        !args.has('n') &&
        /^[\w./-]+\.(ya?ml|json|toml|xml|properties|csv)$/.test(word(expression)) &&
        !word(expression).startsWith('.');
      const paths = single || args.has('from-file') || name === 'taplo' ? rest : rest.slice(1);
      const loaded = [...render(expression ?? []).matchAll(/\bload(?:str|_\w+)?\(\s*"([^"]+)"/g)].map(
        (match): Value => [match[1] as string],
      );
      const formats = name === 'taplo' && /^(format|fmt)$/.test(word(args.operands[0]));
      return {
        files: [
          ...reads([...paths, ...loaded, ...args.values('from-file', 'file')].filter((path) => word(path) !== '-')),
          ...(args.has('i')
            ? changedInPlace(invocation, paths, (old) => foldJq(render(expression ?? []), old, new Map()))
            : formats
              ? changedInPlace(invocation, paths, (old) => old)
              : []),
        ],
        ...environmentOf(single ? '' : render(expression ?? [])),
      };
    },
  }),
  define({
    names: ['xmllint', 'xsltproc', 'xmlstarlet', 'htmlq', 'pup', 'tidy', 'xidel', 'hxselect', 'saxon'],
    manual: 'xmllint(1), xsltproc(1)',
    summary: 'checks and queries XML and HTML',
    options:
      'o output:, xpath:, schema:, relaxng:, dtdvalid:, encode:, noout, format, html, f filename:, t text, a attribute:, m modify, path:, stringparam:, param:',
    run: (args) => ({
      files: [
        ...reads(
          [...args.operands, ...args.values('schema', 'relaxng', 'dtdvalid', 'f')].filter(
            (path) => /[./]/.test(word(path)) || textOf(path) === null,
          ),
        ),
        ...drafts('write', args.values('o')),
        ...(args.has('m') ? drafts('write', args.operands) : []),
      ],
    }),
  }),
  define({
    names: words(
      'pandoc gron fx jless csvcut csvgrep csvlook csvstat csvsort in2csv mlr xsv qsv pdftotext pdfinfo pdfgrep antiword catdoc docx2txt exif highlight pygmentize source-highlight aspell hunspell wkhtmltopdf ebook-convert asciidoctor asciidoc rst2html rst2pdf markdown marked txt2man help2man',
    ),
    manual: 'pandoc(1), mlr(1), pdftotext(1)',
    summary: 'reads documents, prints or writes them in another form',
    options:
      'o output:, f from:, t to:, T:, F filter:, L lua-filter:, template:, c css:, H include-in-header:, B include-before-body:, A include-after-body:, d defaults:, metadata-file:, bibliography:, resource-path:, pdf-engine:, V variable:, M metadata:, l:, n, I, ifs:, ofs:, icsv, ojson, q, layout, s standalone, extract-media:, reference-doc:',
    run: (args, inv) => {
      const { name } = inv;
      return {
        files: [
          ...reads(
            [...args.operands, ...args.values('H', 'B', 'A', 'd', 'metadata-file', 'bibliography')].filter(
              (path) => textOf(path) === null || /[./]/.test(word(path)),
            ),
          ),
          ...drafts('write', args.values('o', 'extract-media')),
          ...(/^(wkhtmltopdf|ebook-convert)$/.test(name) ? drafts('write', args.operands.slice(1).slice(-1)) : []),
          ...(name === 'mlr' && args.has('I') ? drafts('write', args.operands) : []),
        ],
        nested:
          name === 'pandoc'
            ? args.values('F', 'pdf-engine').map((program) => ({ kind: 'argv', via: 'pandoc', argv: [program] }))
            : [],
        effects: strangeCode(
          inv,
          args.values('lua-filter', 'F', 'pdf-engine').filter((path) => /\//.test(word(path))),
        ),
        ...(args.has('lua-filter') ? { opaque: true } : {}),
      };
    },
  }),
];

interface JqLine {
  readonly flags: readonly string[];
  readonly operands: readonly Value[];
  readonly files: readonly Value[];
  readonly fromFile: Value | null;
  readonly program: Value | null;
  /** Texts of `--arg`, as far as they are known. */
  readonly given: ReadonlyMap<string, string>;
}

function readJq(argv: readonly Value[]): JqLine {
  const flags: string[] = [];
  const operands: Value[] = [];
  const files: Value[] = [];
  let fromFile: Value | null = null;
  let plain = false;
  const given = new Map<string, string>();
  for (let at = 1; at < argv.length; at++) {
    const value = argv[at] as Value;
    const text = textOf(value);
    if (plain || text === null || !/^-./.test(text)) {
      operands.push(value);
      continue;
    }
    const name = text.replace(/^--?/, '');
    flags.push(...(text.startsWith('--') ? [name] : [...name]));
    const pair = text.startsWith('--') ? PAIRS.get(name) : undefined;
    if (text === '--') plain = true;
    else if (pair) {
      const second = argv[at + 2];
      if (pair === 'file' && second) files.push(second);
      if (name === 'arg' && second && textOf(second) !== null) given.set(word(argv[at + 1]), textOf(second) as string);
      at += 2;
    } else if (/^(from-file|f)$/.test(name) || (!text.startsWith('--') && name.endsWith('f')))
      fromFile = argv[++at] ?? null;
    else if (/^(indent|L|library-path)$/.test(name)) at++;
    else if (name === 'args' || name === 'jsonargs') {
      // What follows the program are words, not files.
      const program = operands[0] ?? argv.slice(at + 1).find((next) => !/^-./.test(textOf(next) ?? ''));
      return { flags, operands: [], files, fromFile, program: program ?? null, given };
    }
  }
  return { flags, operands, files, fromFile, program: null, given };
}

/** What a jq or yq program prints of the environment. */
function environmentOf(program: string): Outcome {
  const code = program.replace(/"(?:[^"\\(]|\\[^(])*"/g, '""');
  const named = [
    ...code.matchAll(/(?:\$ENV|(?<![.\w$])env)\s*\.\s*(\w+)/g),
    ...program.matchAll(/(?:\$ENV|(?<![.\w$])env)\s*\[\s*"(\w+)"/g),
    ...program.matchAll(/(?<![.\w$])(?:str)?env\(\s*(\w+)\s*\)/g),
  ].map((match) => match[1] as string);
  const secrets = [...new Set(named)].filter(isSecretName);
  if (secrets.length > 0) {
    const effects = secrets.map(
      (target): EffectDraft => ({ kind: 'secret-read', target, detail: `the variable ${target}` }),
    );
    return { effects, stdout: { value: null, taints: ['secret'] } };
  }
  return /\$ENV(?!\s*[.[\w])|(?<![.\w$"])env(?!\s*[.[\w(:"])/.test(code) ? wholeEnvironment() : {};
}
