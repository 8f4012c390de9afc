import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { GovError, messageOf } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { workspaceOf } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { findSecrets } from '../../redact/redact.ts';
import { printFinding } from '../../rulebook/finding.ts';
import { readSources } from '../../rulebook/source-files.ts';
import { type Round, type Watched, watched } from '../../rulebook/watch.ts';
import { fixtureWorld } from '../../world/fixture.ts';
import { overlay } from '../../world/overlay.ts';

/** An editor writes a file in several steps. */
const SETTLE_MS = 20;

/** How often it is looked whether what was watched is there again. */
const GONE_MS = 100;

export default class PolicyWatch extends GovCommand {
  static override summary = 'Check and test policy files again each time one is saved.';
  static override description =
    'Without PATH the rules in the configuration directory are watched. With --build the bundles that hooks read are ' +
    'built after each save that is right and whose tests pass; a save that is not keeps the last good ones, and says ' +
    'so. Ends with Ctrl-C.';
  static override examples = ['<%= config.bin %> policy watch my-rules', '<%= config.bin %> policy watch --build'];
  static override args = { path: Args.string({ description: 'a directory, or one file' }) };
  static override flags = {
    build: Flags.boolean({ description: 'build the bundles after each good save' }),
  };
  static override enableJsonFlag = false;

  /** When the files were last all right; '' while they have not been. */
  private lastGood = '';

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyWatch);
    const path = args.path ?? ownRules();
    // What is not there is wrong usage now; later it may come back.
    readSources([path]);
    const files = watched(path, { world: fixtureWorld, overlay, secrets: findSecrets });
    const { watch } = await import('chokidar');
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(path, {
      ignoreInitial: true,
      ignored: (name, stats) => name !== path && (basename(name).startsWith('.') || isOther(name, stats)),
    });
    let gone: NodeJS.Timeout | undefined;
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        this.look(files, flags.build);
        if (!existsSync(path)) gone ??= setInterval(comeBack, GONE_MS);
      }, SETTLE_MS);
    };
    // What was watched is gone, and the watch on it with it: a checkout of another branch brings it back.
    const comeBack = (): void => {
      if (!existsSync(path)) return;
      clearInterval(gone);
      gone = undefined;
      watcher.unwatch(path);
      watcher.add(path);
      soon();
    };
    watcher.on('all', soon);
    watcher.on('error', (error) => process.stderr.write(`gov: can't watch: ${visible(messageOf(error))}\n`));
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    this.look(files, flags.build);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    clearTimeout(timer);
    clearInterval(gone);
    await watcher.close();
  }

  private look(files: Watched, build: boolean): void {
    const p = paint(process.stdout);
    const started = performance.now();
    const time = new Date().toISOString().slice(11, 19);
    const kept = this.lastGood === '' ? '' : `; the last good version is that of ${this.lastGood}`;
    try {
      const round = files.round();
      this.report(round);
      const ms = Math.round(performance.now() - started);
      const size = `${count(round.rules, 'rule')}, ${count(round.tests, 'test')}, ${ms} ms`;
      if (round.good) this.say(`${time} ${p.green('all right')}: ${size}`);
      else this.say(`${time} ${p.red(faultsOf(round))}: ${size}${kept}`);
      if (round.good) this.lastGood = time;
      if (build) this.publish(files, round.good);
    } catch (error) {
      this.say(`${time} ${p.red(visible(messageOf(error)))}${kept}`);
      if (build) this.say(STAYS);
    }
  }

  private report({ findings, failed }: Round): void {
    const p = paint(process.stdout);
    for (const finding of findings) this.say(`${printFinding(finding)}\n`);
    for (const t of failed)
      this.say(`${p.red('FAIL')} ${visible(t.rule)} ${t.side}: ${visible(t.name)}\n     ${visible(t.got)}`);
  }

  private publish(files: Watched, good: boolean): void {
    if (!good) return this.say(STAYS);
    const published = files.publish(govPaths(process.env), workspaceOf(process.cwd(), process.env));
    if (published.ok) return this.say('built: hooks take the new rules with their next call');
    const [first] = published.findings.filter((f) => f.severity === 'error');
    const why = first
      ? `${visible(first.at.file)}:${first.at.line}:${first.at.column}: ${first.message}`
      : published.ignored[0];
    this.say(`${STAYS}${why ? ` (${visible(why)})` : ''}`);
  }
}

const STAYS = 'not built: the bundles in force stay';

/** Where the user's own rules lie. Throws `usage-nothing-to-watch`. */
function ownRules(): string {
  const path = join(govPaths(process.env).config, 'rules');
  if (existsSync(path)) return path;
  throw new GovError({
    code: 'usage-nothing-to-watch',
    message: `there are no rules at \`${path}\``,
    help: 'name a directory or a file: gov policy watch my-rules',
  });
}

function isOther(name: string, stats: { isFile(): boolean } | undefined): boolean {
  return basename(name) === 'node_modules' || (stats?.isFile() === true && !/\.ya?ml$/.test(name));
}

function faultsOf({ errors, failed }: Round): string {
  const parts = [
    errors > 0 ? count(errors, 'error') : '',
    failed.length > 0 ? `${count(failed.length, 'test')} failed` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
