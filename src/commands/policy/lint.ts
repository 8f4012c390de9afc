import { Args, Flags } from '@oclif/core';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { type Compilation, compilePolicy } from '../../rulebook/compile.ts';
import { type Finding, printFinding } from '../../rulebook/finding.ts';
import { compileInContext } from '../../rulebook/in-context.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { lint } from '../../rulebook/lint/lint.ts';
import { sarifOf } from '../../rulebook/sarif.ts';

interface LintResult {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

export default class PolicyLint extends GovCommand {
  static override summary = 'Find rules that compile and still may not do what their author means.';
  static override description =
    'Also reports all that `gov policy check` finds. `gov policy docs CODE` explains a code. Ends with 1 if anything was found.';
  static override examples = ['<%= config.bin %> policy lint', '<%= config.bin %> policy lint .gov/rules'];
  static override strict = false;
  static override args = { paths: Args.string({ description: 'files or directories' }) };
  static override flags = {
    format: Flags.string({ description: 'how to print', options: ['text', 'sarif'], default: 'text' }),
  };

  async run(): Promise<LintResult> {
    const { argv, flags } = await this.parse(PolicyLint);
    const { compilation, files } = compile(argv as string[]);
    const all = [...compilation.findings, ...lint(compilation, Date.now())];
    const findings = all.filter((f) => files.has(f.at.file));
    if (flags.format === 'sarif') this.say(JSON.stringify(sarifOf(findings), null, 2));
    else this.print(findings);
    if (findings.length > 0) process.exitCode = EXIT.findings;
    return { ok: findings.length === 0, findings };
  }

  private print(findings: readonly Finding[]): void {
    const p = paint(process.stdout);
    for (const finding of findings) this.say(`${printFinding(finding)}\n`);
    const count = `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;
    this.say(findings.length === 0 ? p.green('nothing found') : p.red(count));
  }
}

function compile(paths: readonly string[]): { readonly compilation: Compilation; readonly files: ReadonlySet<string> } {
  if (paths.length > 0) {
    const compilation = compileInContext(paths);
    return { compilation, files: new Set(compilation.files) };
  }
  const { sources } = layersOf(govPaths(process.env));
  return { compilation: compilePolicy(sources), files: new Set(sources.map((s) => s.path)) };
}
