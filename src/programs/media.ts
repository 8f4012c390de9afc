import type { FileDraft } from '../model/effect.ts';
import { knownPrefix, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, isStdin, reads, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import type { OptionLines } from './options.ts';
import { drop } from './words.ts';

/** A program that turns one file into another. */
interface Row {
  readonly names: string;
  readonly manual: string;
  readonly options: OptionLines;
  /** Which operand names what is written: the last one, or the second; the others are read. */
  readonly output?: 'last' | 'second';
  /** Options that name what is written. */
  readonly writes?: readonly string[];
  /** With one of these (or always, for `true`) operands are changed in place. */
  readonly inPlace?: readonly string[] | true;
}

const ROWS: readonly Row[] = [
  {
    names: 'convert magick composite montage import stream gm',
    manual: 'ImageMagick: the last operand is the output',
    options:
      'size:, resize:, quality:, density:, background:, fill:, font:, pointsize:, gravity:, geometry:, crop:, extent:, rotate:, type:, depth:, colors:, compress:, format:, draw:, annotate:, define:, delay:, loop:, thumbnail:, tile:, blur:, border:, bordercolor:, stroke:, alpha:, colorspace:, channel:, threshold:, level:, fuzz:, sampling-factor:, interlace:, unsharp:',
    output: 'last',
  },
  {
    names: 'mogrify',
    manual: 'mogrify(1)',
    options: 'path:, format:, resize:, quality:',
    writes: ['path'],
    inPlace: true,
  },
  {
    names: 'qpdf pdfunite pdfcrop pdfseparate pdftoppm pdftocairo pdftops ps2pdf ps2pdf14 dvipdf dvipdfm xelatex2pdf',
    manual: 'qpdf(1), pdfunite(1), pdftoppm(1), ps2pdf(1)',
    options:
      'pages, f:, l:, r:, png, jpeg, svg, pdf, singlefile, scale-to:, linearize, decrypt, password:, replace-input, margins:, dPDFSETTINGS:, empty',
    output: 'last',
    inPlace: ['replace-input'],
  },
  {
    names: 'sox lame opusenc oggenc gif2webp jpegtran potrace',
    manual: 'sox(1), lame(1), opusenc(1), jpegtran(1)',
    options: 'o output outfile:, b:, r:, c:, e:, t:, q:, V:, h, copy:, rotate:, crop:, s, svg, optimize, progressive',
    output: 'second',
    writes: ['o'],
  },
  {
    names: 'tesseract',
    manual: 'tesseract(1)',
    options: 'l:, psm:, oem:, c:, tessdata-dir:, dpi:',
    output: 'second',
  },
  {
    names:
      'inkscape cwebp dwebp avifenc rsvg-convert cairosvg img2pdf flac mkvmerge HandBrakeCLI gifsicle pngquant guetzli espeak-ng pico2wave unoconv ocrmypdf',
    manual: 'inkscape(1), cwebp(1), rsvg-convert(1), mkvmerge(1), gifsicle(1)',
    options:
      'o output export-filename outfile:, w:, h:, d:, q:, i input:, f format:, export-type:, export-dpi:, e:, t:, s:, v:, b batch, O?, ext:, force, quality:, speed:',
    writes: ['o', 'w'],
    inPlace: ['batch', 'ext'],
  },
  {
    names: 'optipng jpegoptim advpng zopflipng oxipng',
    manual: 'optipng(1), jpegoptim(1)',
    options: 'o:, out:, dir:, d dest:, m max:, strip:, out-dir:',
    writes: ['out', 'dir', 'd', 'out-dir'],
    inPlace: true,
  },
  {
    names: 'soffice libreoffice',
    manual: 'soffice(1)',
    options: 'headless, convert-to:, outdir:, infilter:, norestore, invisible',
    writes: ['outdir'],
  },
];

/** Programs for pictures, sound, film and documents: they read files and write where their arguments say. */
export const media: readonly Program[] = [
  ...ROWS.map((row) =>
    define({
      names: words(row.names),
      manual: row.manual,
      summary: 'turns one file into another',
      options: row.options,
      style: { singleDashLong: true, abbreviations: false },
      run: (args, inv) => {
        const at = row.output === 'last' ? args.operands.length - 1 : row.output === 'second' ? 1 : -1;
        const out = at > 0 ? args.operands[at] : undefined;
        const changes = row.inPlace === true || (row.inPlace !== undefined && args.has(...row.inPlace));
        const inputs = args.operands.filter((path, i) => i !== at && isPath(path));
        return {
          // A script of ImageMagick's own, which reads and writes what it wants.
          effects: strangeCode(inv, withCoder(args.operands, 'msl')),
          files: [
            ...reads(inputs.map(withoutCoder)),
            // Read, and then deleted.
            ...drafts('delete', withCoder(inputs, 'ephemeral')),
            ...(changes ? drafts('write', inputs) : []),
            ...(out ? written(out) : []),
            ...(row.writes ?? []).flatMap((option) => args.values(option)).flatMap(written),
          ],
        };
      },
    }),
  ),
  define({
    names: ['ffmpeg', 'avconv'],
    manual: 'ffmpeg(1): -i names an input; the last word, and those after the options of an output, are outputs',
    summary: 'turns film and sound into other forms',
    run: (_args, { argv }) => {
      const files: FileDraft[] = [];
      argv.forEach((value, at) => {
        if (at > 0 && word(argv[at - 1]) === '-i' && isPath(value)) files.push(draft('read', value));
      });
      const last = argv[argv.length - 1];
      if (argv.length > 2 && last && !knownPrefix(last).startsWith('-') && word(argv[argv.length - 2]) !== '-i')
        files.push(...written(last));
      return { files };
    },
  }),
  define({
    names: ['pdftk'],
    manual: 'pdftk(1): `output` stands before what is written',
    summary: 'takes PDF files apart and puts them together',
    run: (args, { argv }) => {
      const at = argv.findIndex((value) => word(value) === 'output');
      const out = at < 0 ? undefined : argv[at + 1];
      return {
        files: [...reads(args.operands.filter((path) => path !== out && isPath(path))), ...(out ? written(out) : [])],
      };
    },
  }),
  define({
    names: ['exiftool'],
    manual: 'exiftool(1): -TAG=VALUE changes the files, -o writes them elsewhere',
    summary: 'shows and changes what pictures say of themselves',
    options: 'o out:, d dateFormat:, p printFormat:, ext:, if:, api:, config:, x:, i:, w textOut:',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, { argv }) => {
      const paths = args.operands.filter(isPath);
      const changes = argv.some((value) => /^-(?!-)[\w:*-]+[-+^]?<?=/.test(knownPrefix(value))) && !args.has('o');
      return {
        files: [...reads(paths), ...(changes ? drafts('write', paths) : []), ...args.values('o').flatMap(written)],
      };
    },
  }),
  define({
    names: ['gs', 'gsc', 'ghostscript'],
    manual: 'gs(1): -sOutputFile=, -o; %pipe% runs a command',
    summary: 'interprets PostScript',
    run: (_args, { argv, name }) => {
      const outs = argv.flatMap((value, at): Value[] => {
        const start = knownPrefix(value);
        if (start.startsWith('-sOutputFile=')) return [drop(value, '-sOutputFile='.length)];
        if (start === '-o') return argv[at + 1] ? [argv[at + 1] as Value] : [];
        return start.startsWith('-o') ? [drop(value, 2)] : [];
      });
      const pipes = outs.filter((out) => knownPrefix(out).startsWith('%pipe%'));
      return {
        files: [
          ...reads(
            argv
              .slice(1)
              .filter((value) => isPath(value) && !knownPrefix(value).startsWith('-') && !outs.includes(value)),
          ),
          ...outs.filter((out) => !pipes.includes(out)).flatMap(written),
        ],
        nested: pipes.map((out) => ({ kind: 'script', via: name, text: drop(out, '%pipe%'.length) })),
      };
    },
  }),
];

/** A path, not a number, an expression or an address. */
function isPath(value: Value): boolean {
  const start = knownPrefix(value);
  return start === '' ? value.length > 0 : /[./]/.test(start) && !/^[a-z][a-z0-9+.-]+:\/\//i.test(start);
}

/** What is written: `png:x` names the form first, `-` and `null:` are no files. */
function written(path: Value): readonly FileDraft[] {
  const form = /^[A-Za-z0-9]{2,6}:(?!\/\/)/.exec(knownPrefix(path))?.[0];
  const file = form ? drop(path, form.length) : path;
  if (file.length === 0 || isStdin(file) || /^[a-z][a-z0-9+.-]+:\/\//i.test(knownPrefix(file))) return [];
  return [draft('write', file)];
}

/** `text:x`, `msl:x`: ImageMagick's form in front of a path; `@x` holds a list of paths or text. */
const CODER = /^(?:[A-Za-z][A-Za-z0-9-]{1,14}:(?!\/\/)|@)(?=[/~.\w])/;

function withoutCoder(path: Value): Value {
  const coder = CODER.exec(knownPrefix(path))?.[0];
  return coder ? drop(path, coder.length) : path;
}

function withCoder(paths: readonly Value[], coder: string): readonly Value[] {
  return paths.filter((path) => knownPrefix(path).toLowerCase().startsWith(`${coder}:`)).map(withoutCoder);
}
