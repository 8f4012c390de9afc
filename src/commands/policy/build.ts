import { Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { policyInForce, workspaceOf } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { countText } from '../../policy/rule-count.ts';
import { printFinding } from '../../rulebook/finding.ts';
import { type Published, publishLayers } from '../../rulebook/publish.ts';

export default class PolicyBuild extends GovCommand {
  static override summary = 'Compile the built-in rules with yours into the bundles that hooks read.';
  static override description =
    'Rules are taken from /etc/gov/rules, from `rules` in the configuration directory, and from .gov of the project ' +
    'that you are in. With a fault in the first two nothing is written and the bundles in force stay. A project can ' +
    "only make rules stricter: a file of it that does more is left out, and while one can't be understood every " +
    'write is asked about.';
  static override examples = ['<%= config.bin %> policy build', '<%= config.bin %> policy build --project'];
  static override flags = {
    project: Flags.boolean({ description: "only the project's layer, on top of the bundles that are in force" }),
  };

  async run(): Promise<Published> {
    const { flags } = await this.parse(PolicyBuild);
    const paths = govPaths(process.env);
    if (flags.project) {
      const policy = await policyInForce(process.env);
      this.say(
        policy.project
          ? `the layer of ${visible(policy.project.workspace)} is in force`
          : 'no layer of a project is in force here',
      );
      return { ok: true, findings: [], ignored: [], bundles: [], projects: [] };
    }
    const published = publishLayers(paths, workspaceOf(process.cwd(), process.env));
    this.print(published);
    if (!published.ok) process.exitCode = EXIT.findings;
    return published;
  }

  private print(published: Published): void {
    for (const line of published.ignored) process.stderr.write(`gov: ${visible(line)}\n`);
    for (const finding of published.findings) this.say(`${printFinding(finding)}\n`);
    if (!published.ok && published.bundles.length === 0 && published.projects.length === 0) {
      this.say('nothing was written; the bundles in force stay');
      return;
    }
    if (published.bundles.length === 0)
      this.say('there are no rules besides the built-in ones, which need no building');
    for (const b of published.bundles)
      this.say(`${b.preset}: ${countText(b)}; digest ${b.digest.slice(0, 12)}, ${visible(b.file)}`);
    const seen = new Set<string>();
    for (const project of published.projects) {
      if (seen.has(project.workspace)) continue;
      seen.add(project.workspace);
      const fate = project.malformed ? 'every write is asked about' : 'in force';
      this.say(`project ${visible(project.workspace)}: ${fate}, digest ${project.digest.slice(0, 12)}`);
      for (const { file, why } of project.ignored) this.say(`  ${visible(file)} is left out: ${visible(why)}`);
    }
  }
}
