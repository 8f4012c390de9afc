import { watch } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { workspaceOf } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { findSecrets } from '../../redact/redact.ts';
import { printFinding } from '../../rulebook/finding.ts';
import { compileInContext } from '../../rulebook/in-context.ts';
import { publishLayers } from '../../rulebook/publish.ts';
import { runTests } from '../../rulebook/rule-tests.ts';
import { readSources } from '../../rulebook/source-files.ts';
import { fixtureWorld } from '../../world/fixture.ts';
import { overlay } from '../../world/overlay.ts';

/** An editor writes a file in several steps. */
const SETTLE_MS = 30;

export default class PolicyWatch extends GovCommand {
  static override summary = 'Check and test policy files again each time one is saved.';
  static override description =
    'With --build the bundles that hooks read are built after each save that is right; a save that is not keeps the last good ones, and says so. Ends with Ctrl-C.';
  static override examples = [
    '<%= config.bin %> policy watch my-rules',
    '<%= config.bin %> policy watch ~/.config/gov/rules --build',
  ];
  static override args = { path: Args.string({ required: true, description: 'a directory, or one file' }) };
  static override flags = {
    build: Flags.boolean({ description: 'build the bundles after each good save' }),
  };
  static override enableJsonFlag = false;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PolicyWatch);
    readSources([args.path]);
    this.round(args.path, flags.build);
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(args.path, { recursive: true }, (_event, name) => {
      if (name !== null && !/\.ya?ml$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => this.round(args.path, flags.build), SETTLE_MS);
    });
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    watcher.close();
  }

  private round(path: string, build: boolean): void {
    const p = paint(process.stdout);
    const started = performance.now();
    try {
      const compiled = compileInContext([path]);
      const errors = compiled.own.filter((f) => f.severity === 'error');
      for (const finding of compiled.own) this.say(`${printFinding(finding)}\n`);
      const files = new Set(compiled.files);
      const bench = { world: fixtureWorld, overlay, secrets: findSecrets };
      const tests = errors.length > 0 ? [] : runTests(compiled, bench).filter((t) => files.has(t.file));
      const failed = tests.filter((t) => !t.ok);
      for (const t of failed)
        this.say(`${p.red('FAIL')} ${visible(t.rule)} ${t.side}: ${visible(t.name)}\n     ${visible(t.got)}`);
      const good = errors.length + failed.length === 0;
      const ms = Math.round(performance.now() - started);
      const state = good ? p.green('all right') : p.red(`${errors.length} errors, ${failed.length} tests failed`);
      this.say(`${new Date().toISOString().slice(11, 19)} ${state}: ${tests.length} tests, ${ms} ms`);
      if (build) this.publish(good);
    } catch (error) {
      this.say(p.red(visible(error instanceof Error ? error.message : String(error))));
    }
  }

  private publish(good: boolean): void {
    const published = good ? publishLayers(govPaths(process.env), workspaceOf(process.cwd(), process.env)) : null;
    this.say(
      published?.ok ? 'built: hooks take the new rules with their next call' : 'not built: the bundles in force stay',
    );
  }
}
