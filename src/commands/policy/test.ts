import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible, visibleJson } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { findSecrets } from '../../redact/redact.ts';
import { type Compilation, compilePolicy } from '../../rulebook/compile.ts';
import { type Coverage, coverageOf } from '../../rulebook/coverage.ts';
import { printFinding } from '../../rulebook/finding.ts';
import { compileInContext } from '../../rulebook/in-context.ts';
import { junitOf } from '../../rulebook/junit.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { runTests, type TestResult } from '../../rulebook/rule-tests.ts';
import { fixtureWorld } from '../../world/fixture.ts';
import { overlay } from '../../world/overlay.ts';
import PolicyWatch from './watch.ts';

interface TestRun {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly TestResult[];
  readonly coverage?: Coverage;
}

export default class PolicyTest extends GovCommand {
  static override summary = 'Run the tests that stand in the rules.';
  static override description =
    'Tests run in a described world (home /home/dev, workspace /home/dev/repo), never on this machine, and run no command. Ends with 1 if a test fails or none ran.';
  static override examples = [
    '<%= config.bin %> policy test',
    '<%= config.bin %> policy test .gov/rules --run "^fs\\."',
  ];
  static override strict = false;
  static override args = { paths: Args.string({ description: 'files or directories' }) };
  static override flags = {
    run: Flags.string({ description: 'only tests whose "rule: name" matches this regular expression' }),
    format: Flags.string({ description: 'how to print', options: ['text', 'json', 'junit'], default: 'text' }),
    coverage: Flags.boolean({ description: 'also say which sides of each rule the tests show' }),
    min: Flags.integer({
      description: 'least coverage in percent; below it the end is 1',
      min: 0,
      max: 100,
      dependsOn: ['coverage'],
    }),
    watch: Flags.boolean({
      description: 'again after each save (as `gov policy watch`)',
      exclusive: ['run', 'coverage', 'format', 'json'],
    }),
    verbose: Flags.boolean({ char: 'v', description: 'also list what passed' }),
  };

  async run(): Promise<TestRun | undefined> {
    const { argv, flags } = await this.parse(PolicyTest);
    if (flags.watch) {
      await PolicyWatch.run(argv as string[], this.config);
      return undefined;
    }
    const { compilation, files } = compile(argv as string[]);
    const errors = compilation.findings.filter((f) => f.severity === 'error' && files.has(f.at.file));
    for (const finding of errors) process.stderr.write(`${printFinding(finding)}\n\n`);
    const bench = { world: fixtureWorld, overlay, secrets: findSecrets };
    const tests = runTests(compilation, bench, {
      files,
      ...(flags.run === undefined ? {} : { run: pattern(flags.run) }),
    });
    const failed = tests.filter((t) => !t.ok).length;
    const coverage = flags.coverage ? coverageOf(compilation, tests, files) : null;
    const enough = coverage === null || coverage.percent >= (flags.min ?? 0);
    const ok = failed === 0 && errors.length === 0 && tests.length > 0 && enough;
    const result = { ok, passed: tests.length - failed, failed, tests, ...(coverage ? { coverage } : {}) };
    if (flags.format === 'junit') this.say(junitOf(tests));
    else if (flags.format === 'json') this.say(visibleJson(JSON.stringify(result, null, 2)));
    else {
      this.print(tests, failed, flags.verbose);
      if (coverage) this.printCoverage(coverage, flags.min ?? 0);
    }
    if (!ok) process.exitCode = EXIT.findings;
    return result;
  }

  private printCoverage(coverage: Coverage, min: number): void {
    const p = paint(process.stdout);
    for (const { rule, sides } of coverage.rules) {
      const missing = sides.filter((s) => !s.covered).map((s) => s.side);
      if (missing.length > 0) this.say(`${p.yellow('not shown')} ${visible(rule)}: ${visible(missing.join(', '))}`);
    }
    const text = `coverage ${coverage.percent} % (${coverage.covered} of ${coverage.total} sides)`;
    this.say(coverage.percent >= min ? text : p.red(`${text}, less than ${min} %`));
  }

  private print(tests: readonly TestResult[], failed: number, verbose: boolean): void {
    const p = paint(process.stdout);
    for (const test of tests) {
      if (test.ok && !verbose) continue;
      const mark = test.ok ? p.green('ok  ') : p.red('FAIL');
      this.say(`${mark} ${visible(test.rule)} ${test.side}: ${visible(test.name)}`);
      if (test.ok) continue;
      this.say(`     ${visible(test.file)}:${test.line}: ${visible(test.got)}`);
      for (const item of test.parts) {
        this.say(p.dim(`       ${visible(item.subject)}`));
        for (const part of item.parts) {
          this.say(`         ${part.value.padEnd(8)} ${visible(part.text)}`);
          for (const look of part.looks ?? []) this.say(p.dim(`                    ${visible(look)}`));
        }
      }
    }
    const summary = failed === 0 ? p.green('all pass') : p.red(`${failed} failed`);
    this.say(
      tests.length === 0
        ? p.red('no tests ran')
        : `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}: ${summary}`,
    );
  }
}

function compile(paths: readonly string[]): { readonly compilation: Compilation; readonly files: ReadonlySet<string> } {
  if (paths.length > 0) {
    const compilation = compileInContext(paths, {}, undefined, () => layersOf(govPaths(process.env)).sources);
    return { compilation, files: new Set(compilation.files) };
  }
  const { sources } = layersOf(govPaths(process.env));
  return { compilation: compilePolicy(sources), files: new Set(sources.map((s) => s.path)) };
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new GovError({ code: 'usage-pattern', message: `\`${text}\` is not a regular expression`, cause });
  }
}
