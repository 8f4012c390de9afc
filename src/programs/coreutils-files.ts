import type { FileDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { concat, isDynamic, known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, drafts, effect, isStdin, reads, word } from './drafts.ts';
import { partlyKnown } from './in-place.ts';
import type { Parsed } from './options.ts';
import { below, endsWithSlash, landing, lastComponent } from './paths.ts';
import { contentOf, NOTHING } from './streams.ts';

const INTO = 't target-directory:, T no-target-directory, S suffix:, b, backup?, v verbose';

/** coreutils that delete, move, copy and make files. */
export const coreutilsFiles: readonly Program[] = [
  define({
    names: ['rm', 'grm', 'srm'],
    manual: 'rm(1), GNU coreutils; rm(1), FreeBSD',
    summary: 'deletes files and trees',
    options:
      'f force, i, I, interactive?, r R recursive, d dir, v verbose, one-file-system, no-preserve-root, preserve-root?, P, W, x, help, version',
    run: (args) => ({
      files: args.operands.map((path) => removal(path, { recursive: args.has('r'), force: args.has('f') })),
      stdout: NOTHING,
    }),
  }),
  define({
    names: ['rmdir', 'grmdir'],
    manual: 'rmdir(1), GNU coreutils: empty directories only',
    summary: 'deletes empty directories',
    options: 'p parents, v verbose, ignore-fail-on-non-empty',
    run: (args) => ({ files: args.operands.map((path) => removal(path, {})), stdout: NOTHING }),
  }),
  define({
    names: ['unlink'],
    manual: 'unlink(1), GNU coreutils',
    summary: 'deletes one file',
    run: (args) => ({ files: args.operands.map((path) => removal(path, {})), stdout: NOTHING }),
  }),
  define({
    names: ['trash', 'trash-put', 'gio-trash'],
    manual: 'trash-put(1), trash-cli; trash(1), macOS',
    summary: 'moves files to the trash',
    options: 'f force, r R recursive, d directory, i interactive, v verbose, trash-dir:',
    run: (args) => ({ files: args.operands.map((path) => removal(path, { recursive: true })), stdout: NOTHING }),
  }),
  define({
    names: ['shred', 'gshred', 'wipe'],
    manual: 'shred(1), GNU coreutils; wipe(1)',
    summary: 'overwrites files beyond recovery',
    options: 'f force, n iterations:, random-source:, s size:, u, remove?, v verbose, x exact, z zero, r, q',
    run: (args) => ({
      files: args.operands.flatMap((path) => [
        draft('write', path, { force: true, recursive: args.has('r') }),
        ...(args.has('u', 'remove') ? [removal(path, { force: true })] : []),
      ]),
      stdout: NOTHING,
    }),
  }),
  define({
    names: ['mv', 'gmv'],
    manual: 'mv(1), GNU coreutils: rename(2) acts on a link itself',
    summary: 'moves files and trees',
    options: `${INTO}, f force, i interactive, n no-clobber, u, update?, Z context, exchange, h`,
    run: (args, invocation) => {
      const force = args.has('f');
      const away = !args.has('T') && leadsSomewhere(invocation, args.operands.at(-1) ?? []);
      const arranged = arrange(args, invocation);
      const { sources } = arranged;
      const place = (source: Value): Value =>
        away ? landing(invocation, args.operands.at(-1) ?? [], source, true) : arranged.place(source);
      const into = sources.map((source) => {
        const content = contentOf(invocation, source).value;
        return draft('write', place(source), { force, follow: false, ...(content ? { content } : {}) });
      });
      const from = sources.map((source) =>
        draft('move', source, { to: place(source), force, recursive: true, follow: endsWithSlash(source) }),
      );
      return { files: [...into, ...from], stdout: NOTHING };
    },
  }),
  define({
    names: ['cp', 'gcp'],
    manual: 'cp(1), GNU coreutils: writes through a link at the destination',
    summary: 'copies files and trees',
    options: `${INTO}, a archive, attributes-only, copy-contents, d, debug, f force, i interactive, H, l link, L dereference, n no-clobber, P no-dereference, p, preserve?, no-preserve:, parents, R r recursive, reflink?, remove-destination, sparse:, strip-trailing-slashes, s symbolic-link, u, update?, x one-file-system, X, Z, context?, c`,
    run: (args, invocation) => {
      const recursive = args.has('R', 'a');
      const { sources, place } = arrange(args, invocation);
      if (args.has('l', 's')) {
        const links = sources.map((to) => draft('link', place(to), { to, hard: args.has('l'), follow: false }));
        return { files: [...links, ...shared(sources, args.has('l'))], stdout: NOTHING };
      }
      const into = sources.map((source) => {
        const more = { recursive, force: args.has('f'), follow: !args.has('remove-destination') };
        const content = recursive ? null : copyOf(invocation, source);
        const path = args.has('parents') ? below(args.operands.at(-1) ?? [], source) : place(source);
        return draft('write', path, { ...more, ...(content ? { content } : {}) });
      });
      return { files: [...reads(sources, { recursive }), ...into], stdout: NOTHING };
    },
  }),
  define({
    names: ['install', 'ginstall'],
    manual: 'install(1), GNU coreutils',
    summary: 'copies files and sets their modes',
    options: `${INTO}, c, C compare, d directory, D, g group:, m mode:, o owner:, p preserve-timestamps, s strip, strip-program:, Z`,
    run: (args, invocation) => {
      const nested = args.has('strip-program')
        ? ([{ kind: 'argv', via: 'install', argv: [args.value('strip-program') ?? []] }] as const)
        : [];
      if (args.has('d')) return { files: drafts('create', args.operands), nested, stdout: NOTHING };
      const { sources, place } = arrange(args, invocation);
      const mode = word(args.value('m'));
      return {
        files: [
          ...reads(sources),
          ...sources.map((source) => {
            const content = copyOf(invocation, source);
            return draft('write', place(source), { ...(content ? { content } : {}), follow: false });
          }),
          ...(mode === '' ? [] : sources.map((source) => draft('chmod', place(source), { mode }))),
        ],
        nested,
        stdout: NOTHING,
      };
    },
  }),
  define({
    names: ['ln', 'gln', 'link', 'symlink'],
    manual: 'ln(1), link(1), GNU coreutils',
    summary: 'makes hard and symbolic links',
    options: `${INTO}, d F directory, f force, i interactive, L logical, n h no-dereference, P physical, r relative, s symbolic, w`,
    run: (args, invocation) => {
      const hard = !args.has('s');
      const [only, ...others] = args.operands;
      if (only && others.length === 0 && !args.has('t')) {
        const path = lastComponent(only) ?? [{ hole: 'name of the target', like: 'name' }];
        return { files: [link(path, only, hard, args), ...shared([only], hard)], stdout: NOTHING };
      }
      const itself = args.has('n', 'T') || invocation.name === 'link';
      const { sources, place } = arrange(args, invocation, itself);
      return {
        files: [...sources.map((to) => link(place(to), to, hard, args)), ...shared(sources, hard)],
        stdout: NOTHING,
      };
    },
  }),
  define({
    names: ['mkdir', 'gmkdir'],
    manual: 'mkdir(1), GNU coreutils',
    summary: 'makes directories',
    options: 'p parents, m mode:, v verbose, Z, context?',
    run: (args) => ({ files: drafts('create', args.operands), stdout: NOTHING }),
  }),
  define({
    names: ['mkfifo', 'gmkfifo'],
    manual: 'mkfifo(1), GNU coreutils',
    summary: 'makes named pipes',
    options: 'm mode:, Z, context?',
    run: (args) => ({ files: drafts('create', args.operands), stdout: NOTHING }),
  }),
  define({
    names: ['touch', 'gtouch'],
    manual: 'touch(1), GNU coreutils',
    summary: 'makes empty files, sets times',
    options: 'a, c no-create, d date:, f, h no-dereference, m, r reference:, t:, time:, A:',
    run: (args) => ({
      files: [
        ...drafts('list', args.values('r')),
        ...drafts('create', args.operands, args.has('h') ? { follow: false } : {}),
      ],
      stdout: NOTHING,
    }),
  }),
  define({
    names: ['truncate', 'gtruncate', 'fallocate'],
    manual: 'truncate(1), GNU coreutils; fallocate(1)',
    summary: 'shortens or extends files',
    options: 'c no-create, o offset:, r reference:, s size:, l length:, n keep-size, p punch-hole, z, d, v, x',
    run: (args) => {
      const empties = word(args.value('s')) === '0';
      return {
        files: drafts('write', args.operands, { force: true, ...(empties ? { content: [] } : {}) }),
        stdout: NOTHING,
      };
    },
  }),
  define({
    names: ['dd', 'gdd', 'dcfldd', 'ddrescue'],
    manual: 'dd(1), GNU coreutils',
    summary: 'copies bytes between files and devices',
    run: (args, invocation) => {
      const operand = (name: string): Value | null => {
        for (const value of [...args.operands].reverse()) {
          const [first, ...more] = value;
          if (typeof first === 'string' && first.startsWith(`${name}=`))
            return concat(known(first.slice(name.length + 1)), more);
        }
        return null;
      };
      // `${X}of=…` and `$ARGS` may name what is written.
      const unclear = args.operands.find((value) => typeof value[0] !== 'string' && isDynamic(value));
      const [from, to] = [operand('if'), operand('of') ?? unclear ?? null];
      const files = [...(from ? reads([from]) : []), ...(to ? [draft('write', to)] : [])];
      if (!to && !from) return { files, stdout: invocation.stdin };
      // On another machine the file is not seen, the disk is.
      const disk = to && /^\/dev\/(?:sd|nvme|vd|xvd|hd|mmcblk|r?disk|mapper\/|md|dm-)/.test(knownPrefix(to));
      return {
        files,
        effects: disk ? [effect('disk', render(to), `writes over ${render(to)}`)] : [],
        ...(to ? { stdout: NOTHING } : {}),
      };
    },
  }),
  define({
    names: ['tee', 'gtee', 'sponge'],
    manual: 'tee(1), GNU coreutils; sponge(1), moreutils',
    summary: 'copies standard input to files',
    options: 'a append, i ignore-interrupts, p, output-error?',
    run: (args, invocation) => {
      const { value } = invocation.stdin;
      const files = args.operands.map((path) => {
        if (value === null) return draft('write', path);
        const content = args.has('a') ? concat(heldBefore(invocation, path), value) : value;
        return draft('write', path, { content });
      });
      return { files, stdout: invocation.stdin };
    },
  }),
  define({
    names: ['chmod', 'gchmod'],
    manual: 'chmod(1), GNU coreutils: the mode may look like an option (`-x`)',
    summary: 'sets modes',
    options:
      'c changes, f silent quiet, v verbose, R recursive, reference:, h, H, L, P, E, N, preserve-root, no-preserve-root',
    run: (args) => {
      const letters = args.unknown.filter((name) => /^[rwxXst]$/.test(name)).join('');
      const [first, ...others] = args.operands;
      const spoken = letters !== '' || args.has('reference', 'E', 'N');
      const mode = letters !== '' ? `-${letters}` : spoken ? '' : word(first);
      const paths = spoken ? args.operands : others;
      return { files: drafts('chmod', paths, { mode, recursive: args.has('R') }), stdout: NOTHING };
    },
  }),
  define({
    names: ['chown', 'chgrp', 'gchown', 'gchgrp', 'chcon', 'setfacl'],
    manual: 'chown(1), chgrp(1), chcon(1), GNU coreutils; setfacl(1)',
    summary: 'sets owners, groups, contexts',
    options:
      'c changes, f silent quiet, v verbose, R recursive, reference:, from:, h no-dereference, H, L, P, dereference, preserve-root, no-preserve-root, m modify:, x remove:, b remove-all, k, d, u:, t:, r:, l:, M:, X:, restore:',
    run: (args, { name }) => {
      const spoken = args.has('reference', 'm', 'x', 'b', 'k', 'u', 't', 'l');
      const paths = spoken ? args.operands : args.operands.slice(1);
      const mode = spoken ? name : `${name} ${word(args.operands[0])}`;
      return {
        files: drafts('chmod', paths, { mode, recursive: args.has('R'), follow: !args.has('h') }),
        stdout: NOTHING,
      };
    },
  }),
];

function removal(path: Value, more: Partial<FileDraft>): FileDraft {
  return draft('delete', path, { ...more, follow: endsWithSlash(path) });
}

/** A file that gets a second name can be changed by it later, where nobody sees whose file it is. */
function shared(sources: readonly Value[], hard: boolean): readonly FileDraft[] {
  return hard ? sources.map((path) => draft('chmod', path, { follow: false })) : [];
}

function link(path: Value, to: Value, hard: boolean, args: Parsed): FileDraft {
  return draft('link', path, { to, hard, force: args.has('f'), follow: false });
}

/** The sources and destinations of cp, mv, install and ln: `A B`, `A… DIR`, `-t DIR A…`. */
function arrange(
  args: Parsed,
  invocation: Invocation,
  never = args.has('T'),
): { sources: readonly Value[]; place: (source: Value) => Value } {
  const directory = args.value('t');
  if (directory) {
    return { sources: args.operands, place: (source) => landing(invocation, directory, source, true) };
  }
  const target = args.operands.at(-1) ?? [];
  const sources = args.operands.slice(0, -1);
  const globbed = sources.some(
    (source) => textOf(source) === null && source.some((p) => typeof p !== 'string' && 'glob' in p),
  );
  const into = !never && (sources.length > 1 || globbed);
  return { sources, place: (source) => (never ? target : landing(invocation, target, source, into)) };
}

/** A link to something of which the kind is not known: mostly a directory, into which things are then moved. */
function leadsSomewhere({ cwd, world }: Invocation, path: Value): boolean {
  const [link, end] = [world.resolve(cwd, path, false).real, world.resolve(cwd, path, true).real];
  return link !== null && end !== null && world.kind(link) === 'link' && world.kind(end) === null;
}

/** The content of a copy; of a file that was never read, that it is one. */
function copyOf(invocation: Invocation, source: Value): Value | null {
  const { real } = invocation.world.resolve(invocation.cwd, source, true);
  if (real !== null && !isStdin(source) && invocation.world.content(real) === null)
    return partlyKnown('', `a copy of ${render(source)}`);
  return contentOf(invocation, source).value;
}

/** What a file holds to which something is appended. */
function heldBefore(inv: Invocation, path: Value): Value {
  const { real } = inv.world.resolve(inv.cwd, path, true);
  if (real !== null && inv.world.kind(real) === 'none') return [];
  return contentOf(inv, path).value ?? [{ hole: 'what a file holds that is appended to', like: 'any' }, '\n'];
}
