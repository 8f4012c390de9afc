import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { serializePolicy } from '../../rulebook/bundle.ts';
import { compilePolicy } from '../../rulebook/compile.ts';
import { type Finding, printFinding } from '../../rulebook/finding.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { presetsOf } from '../../rulebook/presets.ts';

interface BuildResult {
  readonly ok: boolean;
  readonly bundles: readonly {
    readonly preset: string;
    readonly file: string;
    readonly digest: string;
    readonly rules: number;
  }[];
  readonly findings: readonly Finding[];
  readonly ignored: readonly string[];
}

export default class PolicyBuild extends GovCommand {
  static override summary = 'Compile the built-in rules with yours into the bundles that hooks read.';
  static override description =
    'Rules are taken from /etc/gov/rules and from `rules` in the configuration directory. With a fault anywhere nothing is written and the bundles in force stay.';
  static override examples = ['<%= config.bin %> policy build'];

  async run(): Promise<BuildResult> {
    await this.parse(PolicyBuild);
    const paths = govPaths(process.env);
    const { sources, ignored } = layersOf(paths);
    for (const line of ignored) process.stderr.write(`gov: ${visible(line)}\n`);
    const own = sources.some((s) => s.layer !== 'builtin');
    const compiled = presetsOf(sources).map((preset) => ({ preset, ...compilePolicy(sources, { preset }) }));
    const findings = compiled[0]?.findings ?? [];
    if (compiled.some((c) => c.findings.some((f) => f.severity === 'error'))) {
      for (const finding of findings) this.say(`${printFinding(finding)}\n`);
      this.say('nothing was written; the bundles in force stay');
      process.exitCode = EXIT.findings;
      return { ok: false, bundles: [], findings, ignored };
    }
    const bundles = compiled.map(({ preset, policy }) => ({
      preset,
      file: join(paths.policy, `${preset}.json`),
      digest: policy.digest,
      rules: policy.rules.length,
      text: serializePolicy(policy),
    }));
    mkdirSync(paths.policy, { recursive: true, mode: 0o700 });
    for (const { file, text } of bundles) own ? replace(file, text) : rmSync(file, { force: true });
    if (!own) this.say('there are no rules besides the built-in ones, which need no building');
    else
      for (const b of bundles)
        this.say(`${b.preset}: ${b.rules} rules, digest ${b.digest.slice(0, 12)}, ${visible(b.file)}`);
    return { ok: true, bundles: own ? bundles.map(({ text: _text, ...b }) => b) : [], findings, ignored };
  }
}

/** A reader sees the old bundle or the new one, never half of one. */
function replace(file: string, text: string): void {
  const next = `${file}.${process.pid}`;
  if (existsSync(next)) rmSync(next);
  writeFileSync(next, text, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
