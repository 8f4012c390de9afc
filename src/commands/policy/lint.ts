import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { FINDING_FORMATS, findingsAs } from '../../cli/finding-formats.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { type Compilation, compilePolicy } from '../../rulebook/compile.ts';
import { type Finding, printFinding } from '../../rulebook/finding.ts';
import { fixText } from '../../rulebook/fix.ts';
import { compileInContext } from '../../rulebook/in-context.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { lint } from '../../rulebook/lint/lint.ts';

interface LintResult {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** What was mended. */
  readonly fixed: readonly Finding[];
}

export default class PolicyLint extends GovCommand {
  static override summary = 'Find rules that compile and still may not do what their author means.';
  static override description =
    'Also reports all that `gov policy check` finds. `gov policy docs CODE` explains a code. Ends with 1 if anything was found.';
  static override examples = ['<%= config.bin %> policy lint', '<%= config.bin %> policy lint .gov/rules --fix'];
  static override strict = false;
  static override args = { paths: Args.string({ description: 'files or directories' }) };
  static override flags = {
    format: Flags.string({ description: 'how to print', options: [...FINDING_FORMATS], default: 'text' }),
    fix: Flags.boolean({
      description:
        'first mend what can be mended in one way only: misspelt names, invisible characters, unanchored globs',
    }),
  };

  async run(): Promise<LintResult> {
    const { argv, flags } = await this.parse(PolicyLint);
    const fixed = flags.fix ? fix(findingsIn(argv as string[])) : [];
    const findings = findingsIn(argv as string[]);
    const result = { ok: findings.length === 0, findings, fixed };
    const printed = findingsAs(flags.format, findings, result);
    if (printed !== null) this.say(printed);
    else this.print(findings, fixed);
    if (!result.ok) process.exitCode = EXIT.findings;
    return result;
  }

  private print(findings: readonly Finding[], fixed: readonly Finding[]): void {
    const p = paint(process.stdout);
    for (const { at, code } of fixed)
      this.say(`${p.green('mended')} ${visible(at.file)}:${at.line}:${at.column} ${code}`);
    for (const finding of findings) this.say(`${printFinding(finding)}\n`);
    const count = `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;
    this.say(findings.length === 0 ? p.green('nothing found') : p.red(count));
  }
}

function findingsIn(paths: readonly string[]): readonly Finding[] {
  const { compilation, files } = compile(paths);
  return [...compilation.findings, ...lint(compilation, Date.now())].filter((f) => files.has(f.at.file));
}

/** Writes the files in which something can be mended; those that come with gov are not there under their name. */
function fix(findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map((f) => f.at.file))].filter((file) => existsSync(file));
  return files.flatMap((file) => {
    const before = readFileSync(file, 'utf8');
    const { text, fixed } = fixText(
      before,
      findings.filter((f) => f.at.file === file),
    );
    if (text !== before) writeFileSync(file, text);
    return fixed;
  });
}

function compile(paths: readonly string[]): { readonly compilation: Compilation; readonly files: ReadonlySet<string> } {
  if (paths.length > 0) {
    const compilation = compileInContext(paths, {}, undefined, () => layersOf(govPaths(process.env)).sources);
    return { compilation, files: new Set(compilation.files) };
  }
  const { sources } = layersOf(govPaths(process.env));
  return { compilation: compilePolicy(sources), files: new Set(sources.map((s) => s.path)) };
}
