import { Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { compileLayers, type ListedWaiver, listed } from '../../cli/waivers.ts';

interface WaiverList {
  readonly waivers: readonly ListedWaiver[];
}

export default class WaiverListCommand extends GovCommand {
  static override summary = 'List waivers with their state and end.';
  static override examples = [
    '<%= config.bin %> waiver list',
    '<%= config.bin %> waiver list --rule mine.path-traversal --json',
  ];
  static override flags = { rule: Flags.string({ description: 'only of this rule' }) };

  async run(): Promise<WaiverList> {
    const { flags } = await this.parse(WaiverListCommand);
    const now = Date.now();
    const waivers = (compileLayers().policy.waivers ?? [])
      .filter((w) => flags.rule === undefined || w.rule === flags.rule)
      .map((w) => listed(w, now));
    const p = paint(process.stdout);
    for (const w of waivers) {
      const state = w.state === 'live' ? p.green(w.state) : w.state === 'expired' ? p.dim(w.state) : p.yellow(w.state);
      this.say(
        `${visible(w.id)}  ${state}  ${visible(w.rule)} (${visible(w.exception)})  until ${w.expires}  ${visible(w.owner)}: ${visible(w.reason)}`,
      );
    }
    this.say(p.dim(`${waivers.length} ${waivers.length === 1 ? 'waiver' : 'waivers'}`));
    return { waivers };
  }
}
