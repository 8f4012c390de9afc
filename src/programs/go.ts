import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import { installs } from './installs.ts';
import { codeFrom } from './interpreter.ts';
import { namedPrograms } from './named-programs.ts';
import { type Grammar, grammar, type Parsed, parseOptions } from './options.ts';
import { ordinary } from './ordinary.ts';
import { contentOf } from './streams.ts';
import { withToolCode } from './tool-code.ts';

const OPTIONS =
  'C:, o:, exec:, toolexec:, vettool:, run:, skip:, bench:, benchtime:, count:, timeout:, tags:, p:, cpu:, parallel:, coverprofile:, coverpkg:, covermode:, cpuprofile:, memprofile:, blockprofile:, mutexprofile:, trace:, outputdir:, ldflags:, gcflags:, asmflags:, buildmode:, mod:, modfile:, modcacherw, race, v, x, n, a, c, i, json, short, failfast, cover, fuzz:, fuzztime:, list:, overlay:, pkgdir:, trimpath, work, w, u, m, e, f:, d, modcache, cache, testcache, fuzzcache, r, s, html:, func:, changed, go:, compiler:, shuffle:, pgo:';
const GO: Grammar = grammar(OPTIONS, { singleDashLong: true, stopAtOperand: true, abbreviations: false });
/** `go test ./... -run X`: options may follow the packages. */
const MIXED: Grammar = grammar(OPTIONS, { singleDashLong: true, abbreviations: false });

/** What sources say that are new: this call wrote them, or they lie in scratch. */
function strangers(inv: Invocation, sources: readonly Value[], helpers: readonly Nested[]): Partial<Outcome> {
  const fresh = sources.filter((path) => {
    const { real, zone } = inv.world.resolve(inv.cwd, path, true);
    return real !== null && (zone !== 'workspace' || inv.world.changed(real));
  });
  const codes = fresh.flatMap((path) => contentOf(inv, path).value ?? []);
  const said = foreignCode(codes.filter((part) => typeof part === 'string').map(known), 'go run');
  return { nested: [...helpers, ...(said.nested ?? [])], files: [...drafts('exec', sources), ...(said.files ?? [])] };
}

function go(inv: Invocation): Outcome {
  const head = parseOptions(inv.argv, GO);
  const [verb, ...list] = head.operands;
  const name = word(verb);
  const args = parseOptions([[''], ...list], name === 'test' ? MIXED : GO);
  const cwd = args.value('C') ?? head.value('C');
  const made = goVerb(name, args, inv, list);
  const seen = { subcommand: name, flags: args.flags, operands: args.operands };
  return { ...seen, ...made, files: [...(cwd ? [draft('exec', cwd, { certain: false })] : []), ...(made.files ?? [])] };
}

/** `-exec`, `-toolexec`, `-vettool`: programs that go starts. */
function helpers(args: Parsed): Pick<Outcome, 'nested' | 'effects'> {
  return namedPrograms(
    'go',
    ['exec', 'toolexec', 'vettool'].flatMap((option) => args.values(option)),
  );
}

function goVerb(name: string, args: Parsed, inv: Invocation, list: readonly Value[]): Outcome {
  const [first] = args.operands;
  const profiles = ['coverprofile', 'cpuprofile', 'memprofile', 'blockprofile', 'mutexprofile', 'trace'].flatMap((p) =>
    args.values(p),
  );
  const { nested = [], effects = [] } = helpers(args);
  switch (name) {
    case 'run': {
      const isRemote = /^[\w.-]+\.[a-z]{2,}\/.*@/.test(render(first ?? []));
      const sources = args.operands.filter((o) => /\.go$/.test(render(o)));
      return {
        opaque: true,
        effects: [
          ...effects,
          ...(isRemote ? installs({ packages: [first as Value] }) : []),
          ...sources.flatMap((path) => codeFrom(contentOf(inv, path).taints, 'go run')),
        ],
        ...strangers(inv, sources, nested),
      };
    }
    case 'build':
    case 'test':
    case 'vet':
      return {
        nested,
        effects,
        files: drafts(
          'write',
          [...args.values('o'), ...profiles, ...args.values('outputdir')].filter((p) => textOf(p) !== '/dev/null'),
        ),
      };
    case 'install': {
      const remote = args.operands.filter((o) => render(o).includes('@'));
      const bin = inv.env.get('GOBIN');
      return {
        nested,
        effects: installs({ packages: remote, global: true, what: 'programs of the project' }),
        files: bin && bin.length > 0 ? [draft('write', bin)] : [],
      };
    }
    case 'get':
      return { effects: installs({ packages: args.operands.filter((o) => !/^(?:\.|all$)/.test(render(o))) }) };
    case 'mod':
    case 'work': {
      const action = word(first);
      return {
        effects: action === 'download' || action === 'tidy' || action === 'vendor' ? installs({ packages: [] }) : [],
      };
    }
    case 'env': {
      const writes = args.has('w', 'u');
      return { files: writes ? [draft('write', [`${inv.world.home}/.config/go/env`])] : [] };
    }
    case 'generate':
      return { opaque: true };
    case 'tool': {
      const rest = list.slice(1);
      const out = rest.flatMap((w, at) =>
        /^-o$/.test(render(w)) ? rest.slice(at + 1, at + 2) : /^-o=/.test(render(w)) ? [known(render(w).slice(3))] : [],
      );
      return { files: drafts('write', out) };
    }
    default:
      return {};
  }
}

/** Go's tools. */
export const goPrograms: readonly Program[] = withToolCode([
  define({
    names: ['go', 'gotip', 'richgo'],
    manual: 'go help',
    summary: 'builds and tests Go packages',
    run: (_, inv) => go(inv),
  }),
  ordinary({
    names: words(
      'gofmt gofumpt goimports gci golines staticcheck revive gosec errcheck govulncheck ineffassign misspell',
    ),
    manual: 'gofmt, golangci-lint run',
    summary: 'checks and formats Go sources',
    options:
      'l, w write fix, d, e, s, r:, local:, c config:, E enable:, D disable:, timeout:, out-format:, m:, v, j concurrency:, new-from-rev:, build-tags:, extra, severity:, fmt:, out:',
    style: { singleDashLong: true },
    rewrites: ['w'],
    writes: ['out'],
  }),
  ordinary({
    names: ['golangci-lint'],
    manual: 'golangci-lint run --help',
    summary: 'checks Go sources',
    options:
      'fix, c config:, E enable:, D disable:, timeout:, out-format:, v verbose, j concurrency:, new-from-rev:, build-tags:',
    rewrites: ['fix'],
    skip: 1,
  }),
  define({
    names: words(
      'gotestsum ginkgo mockgen mockery stringer sqlc wire templ ent goreleaser gqlgen oapi-codegen swag buf protoc-gen-go delve dlv gomplate',
    ),
    manual: 'gotestsum, ginkgo, goreleaser, buf',
    summary: 'tests, generates or releases Go code',
    options:
      'o:, destination:, source:, package:, output:, junitfile:, jsonfile:, f format:, snapshot, skip:, clean, config:, c:, path:, database:, dir:, t template:, d:, force, all, template:, generate:',
    style: { singleDashLong: true },
    run: (args, inv) => {
      const verbs = args.operands.map(word);
      const files = drafts(
        'write',
        ['o', 'destination', 'output', 'junitfile', 'jsonfile']
          .flatMap((name) => args.values(name))
          .filter((v) => textOf(v) !== '-'),
      );
      const releases =
        (inv.name === 'goreleaser' && verbs[0] === 'release' && !args.has('snapshot')) ||
        (inv.name === 'buf' && verbs[0] === 'push');
      const effects = releases ? [effect('publish', 'release', inv.name)] : [];
      return { subcommand: verbs[0] ?? '', files, effects };
    },
  }),
]);
