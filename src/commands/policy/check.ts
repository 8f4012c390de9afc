import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { presetNamed } from '../../cli/check-policy.ts';
import { FINDING_FORMATS, findingsAs } from '../../cli/finding-formats.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { countRules, countText, type RuleCount } from '../../policy/rule-count.ts';
import { compilePolicy } from '../../rulebook/compile.ts';
import { type Finding, printFinding } from '../../rulebook/finding.ts';
import { compileInContext, type InContext } from '../../rulebook/in-context.ts';
import { layersOf } from '../../rulebook/layers.ts';
import type { OverlayReport } from '../../rulebook/overlays.ts';
import { readSources } from '../../rulebook/source-files.ts';

interface CheckResult extends RuleCount {
  readonly ok: boolean;
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
  readonly overlays: readonly OverlayReport[];
}

export default class PolicyCheck extends GovCommand {
  static override summary = 'Check policy files: keys, types, conditions, layers.';
  static override description =
    'Without PATHS the rules that are in force are checked: built-in, /etc/gov/rules, and those in the configuration directory. Ends with 1 if something is wrong.';
  static override examples = ['<%= config.bin %> policy check', '<%= config.bin %> policy check .gov/rules'];
  static override strict = false;
  static override args = { paths: Args.string({ description: 'files or directories' }) };
  static override flags = {
    preset: Flags.string({ description: 'policy set whose defaults hold' }),
    format: Flags.string({ description: 'how to print', options: [...FINDING_FORMATS], default: 'text' }),
  };

  async run(): Promise<CheckResult> {
    const { argv, flags } = await this.parse(PolicyCheck);
    const compiled = compile(argv as string[], flags.preset);
    const errors = compiled.own.filter((f) => f.severity === 'error').length;
    const files = new Set(compiled.files);
    const result: CheckResult = {
      ok: errors === 0,
      files: compiled.files,
      ...countRules(compiled.written.filter((w) => files.has(w.doc.file.path)).map((w) => w.rule)),
      findings: compiled.own,
      overlays: compiled.overlays,
    };
    const printed = findingsAs(flags.format, result.findings, result);
    if (printed !== null) this.say(printed);
    else this.print(result, argv.length === 0 && flags.preset === undefined);
    if (!result.ok) process.exitCode = EXIT.findings;
    return result;
  }

  private print(result: CheckResult, ofAllPresets: boolean): void {
    const p = paint(process.stdout);
    for (const finding of result.findings) this.say(`${printFinding(finding)}\n`);
    for (const overlay of result.overlays) {
      const fate = overlay.applied ? p.green('applied') : p.red('ignored as a whole');
      this.say(`${visible(overlay.file)} (${overlay.layer}, on ${visible(overlay.target)}): ${fate}`);
      for (const entry of overlay.entries)
        this.say(
          `  ${entry.accepted ? p.green('accepted') : p.red('refused ')} ${visible(entry.what)}${entry.why ? `: ${visible(entry.why)}` : ''}`,
        );
    }
    const found = result.findings.length;
    const summary = found === 0 ? p.green('nothing wrong') : p.red(`${found} ${found === 1 ? 'finding' : 'findings'}`);
    const { rules, files } = result;
    const [, modes] = countText(result).split(': ');
    const marks = [modes ?? '', ofAllPresets ? 'of all presets' : ''].filter((mark) => mark !== '');
    const total = `${rules} ${rules === 1 ? 'rule' : 'rules'} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
    this.say(`${total}${marks.length > 0 ? ` (${marks.join('; ')})` : ''}: ${summary}`);
  }
}

function compile(paths: readonly string[], preset: string | undefined): InContext {
  const options = preset === undefined ? {} : { preset };
  // A policy set of one's own may stand in the files that are checked.
  const isOwn = preset !== undefined && readSources(paths).some(({ text }) => text.includes(preset));
  if (preset !== undefined && !isOwn) presetNamed(preset, govPaths(process.env));
  if (paths.length > 0) {
    const compiled = compileInContext(paths, options, undefined, () => layersOf(govPaths(process.env)).sources);
    if (compiled.files.length > 0) return compiled;
    throw new GovError({
      code: 'usage-no-files',
      message: 'there are no policy files there',
      help: 'files end with `.yaml`',
    });
  }
  const { sources, ignored } = layersOf(govPaths(process.env));
  for (const line of ignored) process.stderr.write(`gov: ${visible(line)}\n`);
  const result = compilePolicy(sources, options);
  return { ...result, files: sources.map((s) => s.path), own: result.findings };
}
