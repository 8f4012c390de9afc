import { Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { compileLayers, type ListedWaiver, listed } from '../../cli/waivers.ts';

interface WaiverReport {
  /** Ends within the days asked for. */
  readonly ending: readonly ListedWaiver[];
  readonly expired: readonly ListedWaiver[];
  readonly live: number;
}

export default class WaiverReportCommand extends GovCommand {
  static override summary = 'Which waivers end soon, and which have ended and can be taken out.';
  static override description = 'Ends with 1 if there is one of either kind, so that a timed job can send the word.';
  static override examples = ['<%= config.bin %> waiver report', '<%= config.bin %> waiver report --within 30'];
  static override flags = { within: Flags.integer({ description: 'days that count as soon', default: 14, min: 0 }) };

  async run(): Promise<WaiverReport> {
    const { flags } = await this.parse(WaiverReportCommand);
    const now = Date.now();
    const all = (compileLayers().policy.waivers ?? []).map((w) => listed(w, now));
    const live = all.filter((w) => w.state === 'live');
    const report: WaiverReport = {
      ending: live.filter((w) => w.days_left < flags.within),
      expired: all.filter((w) => w.state === 'expired'),
      live: live.length,
    };
    const p = paint(process.stdout);
    for (const w of report.ending)
      this.say(
        `${p.yellow(`${w.days_left} days left`)}  ${visible(w.id)}  ${visible(w.rule)}  ${visible(w.owner)}: ${visible(w.reason)}`,
      );
    for (const w of report.expired) this.say(`${p.dim('expired')}  ${visible(w.id)}  ${visible(w.rule)}  ${w.expires}`);
    this.say(
      `${report.live} live, ${report.ending.length} end within ${flags.within} days, ${report.expired.length} expired`,
    );
    if (report.ending.length + report.expired.length > 0) process.exitCode = EXIT.findings;
    return report;
  }
}
