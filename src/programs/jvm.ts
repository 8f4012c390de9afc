import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { foreignCode } from './foreign-code.ts';
import { freshSources } from './fresh-sources.ts';
import { codeFrom } from './interpreter.ts';
import { strangeCode } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { ordinary } from './ordinary.ts';
import { withToolCode } from './tool-code.ts';
import { drop } from './words.ts';

function java(args: Parsed, inv: Invocation): Outcome {
  const agents = inv.argv
    .filter((w) => /^-(?:javaagent|agentpath):/.test(knownPrefix(w)))
    .map((w) => draft('exec', known(render(w).replace(/^-\w+:([^=]*).*$/s, '$1'))));
  const jar = args.value('jar');
  const [first] = args.operands;
  const source = first && /\.java$/.test(render(first)) ? [draft('exec', first)] : [];
  if (args.has('version', 'help')) return {};
  const fresh = source.length > 0 && first ? freshSources(inv, [first]) : {};
  return {
    files: [...agents, ...(jar ? [draft('exec', jar)] : source), ...(fresh.files ?? [])],
    nested: fresh.nested ?? [],
    opaque: true,
  };
}

/** Goals and tasks that publish or drop; the verb stands after the last colon. */
function goals(names: readonly string[], by: string): readonly EffectDraft[] {
  return names.flatMap((name): readonly EffectDraft[] => {
    const goal = name.replace(/^.*:(?=[\w-]+$)/, '');
    if (
      name === 'deploy' ||
      /^(?:publish|publish[A-Z]\w*|uploadArchives|closeAndRelease\w*|publishSigned|release|sonatypeRelease|sonatypeBundleRelease|bintrayUpload)$/.test(
        goal,
      ) ||
      /(?:deploy-plugin|deploy|release|nexus-staging|central-publishing)(?:[^:]*):(?:deploy|perform|release|publish|deploy-file)$/.test(
        name,
      )
    ) {
      return /^publish\w*ToMavenLocal$|^publishLocal$/.test(goal)
        ? []
        : [effect('publish', 'artifact', `${by} ${name}`)];
    }
    if (
      /^(?:flywayClean|dropAll|liquibaseDropAll)$/i.test(goal) ||
      /(?:flyway:clean|liquibase:dropAll|hibernate:drop)$/i.test(name)
    )
      return [effect('db-drop', 'database', `${by} ${name}`)];
    return /^(?:flywayMigrate|update|liquibaseUpdate)$/i.test(goal) && /flyway|liquibase/i.test(name)
      ? [effect('db-write', 'database', `${by} ${name}`)]
      : [];
  });
}

function maven(args: Parsed, inv: Invocation): Outcome {
  const names = args.operands.map(word);
  const pom = args.value('f');
  const directory = pom ? render(pom).replace(/\/?[^/]*\.xml$/, '') : '';
  return {
    subcommand: names[0] ?? '',
    files: [
      ...(pom ? [draft('exec', pom)] : []),
      ...drafts('read', args.values('s')),
      ...(names.includes('clean')
        ? drafts('delete', [[directory === '' ? 'target' : `${directory}/target`]], { recursive: true })
        : []),
    ],
    effects: args.values('D').some((d) => /^maven\.deploy\.skip(?:=true)?$/.test(render(d)))
      ? []
      : goals(names, inv.name),
    nested: names.some((n) => /^exec:exec\b|exec-maven-plugin\b.*:exec$/.test(n)) ? execNested(args) : [],
    opaque: names.some((n) => /^exec:|antrun:/.test(n)),
  };
}

/** exec-maven-plugin: `-Dexec.executable` names a program, `-Dexec.args` its arguments. */
function execNested(args: Parsed): readonly Nested[] {
  const property = (name: string): Value =>
    args
      .values('D')
      .flatMap((pair) => (knownPrefix(pair).startsWith(`${name}=`) ? [drop(pair, name.length + 1)] : []))[0] ?? [];
  const program = property('exec.executable');
  if (program.length === 0) return [];
  return [{ kind: 'script', via: 'mvn', text: concat(program, known(' '), property('exec.args')) }];
}

function gradle(args: Parsed, inv: Invocation): Outcome {
  const names = args.operands.map(word);
  const directory = args.value('p');
  return {
    subcommand: names[0] ?? '',
    files: [
      ...(directory ? [draft('exec', [...directory, '/build.gradle'])] : []),
      ...drafts('exec', [...args.values('I'), ...args.values('b'), ...args.values('c')]),
      ...(names.some((n) => /(?:^|:)clean$/.test(n))
        ? drafts('delete', [directory ? [...directory, '/build'] : ['build']], { recursive: true })
        : []),
    ],
    effects: [
      ...(args.has('m') ? [] : goals(names, inv.name)),
      ...strangeCode(inv, [...args.values('I'), ...args.values('b'), ...args.values('c')]),
      ...args
        .values('I')
        .filter((w) => /^https?:/.test(knownPrefix(w)))
        .map((w) => effect('exec-remote', render(w), `${render(w)} is loaded`)),
    ],
  };
}

/** Java, Kotlin, Scala and their build tools. */
export const jvm: readonly Program[] = withToolCode([
  define({
    names: ['java', 'javaw'],
    manual: 'java(1)',
    summary: 'runs a Java program',
    options:
      'jar:, cp classpath class-path:, p module-path:, m module:, version, help, ea, Xmx?, D?, add-opens:, add-modules:, add-exports:, source:, XX?',
    style: { singleDashLong: true, stopAtOperand: true, abbreviations: false },
    run: java,
  }),
  define({
    names: ['javac', 'kotlinc', 'kotlinc-jvm', 'scalac', 'groovyc', 'ecj', 'native-image'],
    manual: 'javac(1), kotlinc(1), scalac(1)',
    summary: 'compiles sources',
    options:
      'd:, s:, h:, cp classpath class-path:, sourcepath:, source:, target:, release:, processorpath:, processor:, encoding:, g?, nowarn, verbose, include-runtime, jvm-target:, o:, jar:, H?, e expression:, script',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, inv) => ({
      nested: freshSources(inv, args.operands).nested ?? [],
      ...(args.has('e')
        ? { effects: [effect('exec-foreign', 'kotlin')], ...foreignCode(args.values('e'), inv.name), opaque: true }
        : {}),
      files: [
        ...(foreignCode(args.values('e'), inv.name).files ?? []),
        ...drafts('read', args.operands),
        ...drafts('write', [...args.values('d'), ...args.values('s'), ...args.values('h'), ...args.values('o')], {
          recursive: true,
        }),
      ],
    }),
  }),
  define({
    names: ['jshell', 'kotlin', 'kotlins', 'jbang'],
    manual: 'jshell(1), kotlin(1), jbang(1)',
    summary: 'runs Java or Kotlin code',
    options: 'e code:, s, q, v, startup:, class-path:, cp:, R:, J:',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [script] = args.operands;
      if (args.has('e'))
        return { effects: [effect('exec-foreign', 'java')], ...foreignCode(args.values('e'), inv.name), opaque: true };
      if (!script || textOf(script) === '-') {
        const found = inv.stdin.value ? foreignCode([inv.stdin.value], inv.name) : {};
        return { effects: codeFrom(inv.stdin.taints, inv.name), ...found, opaque: true };
      }
      if (/^https?:/.test(knownPrefix(script)))
        return { effects: [effect('exec-remote', render(script))], dests: [{ address: script, sends: 'nothing' }] };
      return { files: [draft('exec', script)], opaque: true };
    },
  }),
  define({
    names: ['jar'],
    manual: 'jar(1)',
    summary: 'makes or unpacks a Java archive',
    options:
      'c create, x extract, t list, u update, f file:, m manifest:, e main-class:, C:, v verbose, 0 no-compress, M no-manifest',
    run: (args) => {
      const [old, file] = args.operands;
      const letters = word(old);
      const isOld = !args.has('c', 'x', 't', 'u') && /^[cxtu]/.test(letters);
      const archive = args.value('f') ?? (isOld ? file : undefined);
      const writes = args.has('c', 'u') || (isOld && /^[cu]/.test(letters));
      const extracts = args.has('x') || (isOld && letters.startsWith('x'));
      return {
        files: [
          ...drafts(writes ? 'write' : 'read', archive ? [archive] : []),
          ...(extracts ? drafts('write', [['.']], { partial: true }) : []),
        ],
      };
    },
  }),
  define({
    names: ['mvn', 'mvnw', 'mvnd'],
    manual: 'mvn(1)',
    summary: 'builds a Java project',
    options:
      'f file:, s settings:, gs global-settings:, P activate-profiles:, D define:, pl projects:, rf resume-from:, T threads:, t toolchains:, l log-file:, B batch-mode, q quiet, X debug, e errors, o offline, U update-snapshots, am also-make, amd also-make-dependents, N non-recursive, fae, ff, fn, ntp no-transfer-progress, v version, h help, V show-version, C strict-checksums',
    style: { abbreviations: false },
    run: maven,
  }),
  define({
    names: ['gradle', 'gradlew', 'gw'],
    manual: 'gradle(1)',
    summary: 'builds a project',
    options:
      'p project-dir:, b build-file:, c settings-file:, I init-script:, g gradle-user-home:, x exclude-task:, P project-prop:, D system-prop:, tests:, q quiet, i info, d debug, s stacktrace, S full-stacktrace, m dry-run, t continuous, offline, no-daemon, daemon, parallel, scan, continue, stop, v version, h help, console:, warning-mode:, max-workers:, refresh-dependencies, rerun-tasks, configuration-cache, build-cache, no-build-cache, include-build:, w warn',
    run: gradle,
  }),
  define({
    names: ['sbt', 'mill', 'ant', 'lein', 'bleep', 'amper'],
    manual: 'sbt, mill, ant(1), lein(1)',
    summary: 'builds a project',
    options: 'f file buildfile:, D:, J:, v, q, batch, client, lib:, logger:, no-colors, projecthelp',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, inv) => {
      const names = args.operands.flatMap((o) => render(o).split(/[;\s]+/)).filter(Boolean);
      return {
        subcommand: names[0] ?? '',
        files: drafts('exec', args.values('f')),
        effects: [...goals(names, inv.name), ...strangeCode(inv, args.values('f'))],
      };
    },
  }),
  ordinary({
    names: words('javadoc javap jdeps jlink jpackage jcmd jstack jps jmap checkstyle spotbugs pmd'),
    manual: 'javadoc(1), javap(1)',
    summary: 'looks at or packages Java code',
    options:
      'd:, output:, o:, c:, cp classpath class-path:, p module-path:, add-modules:, v verbose, f:, R:, n name:, i input:, dest:',
    style: { singleDashLong: true, abbreviations: false },
    writes: ['d', 'output', 'o', 'dest'],
    skip: 99,
  }),
]);
