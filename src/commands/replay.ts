import { setTimeout as wait } from 'node:timers/promises';
import { Args, Flags } from '@oclif/core';
import { GovError } from '../base/errors.ts';
import { govPaths } from '../base/gov-paths.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { hashOf } from '../replay/link.ts';
import { matcherOf } from '../replay/match.ts';
import { IDLE_MS, paceOf } from '../replay/pace.ts';
import { headPlain, sessionsPlain, stepPlain } from '../replay/plain.ts';
import { serveViewer } from '../replay/serve.ts';
import { findStart, rowsOf, type SessionSummary, type Start, sessionsOf } from '../replay/session.ts';
import { openSource, type Source } from '../replay/source.ts';
import { storyOf } from '../replay/story.ts';
import { type Line, textOf } from '../replay/term/line.ts';
import { abilityOf, painted } from '../replay/term/paint.ts';
import { view } from '../replay/term/viewer.ts';
import { EMPTY, extended, isHeld, type Step, type Timeline } from '../replay/timeline.ts';
import PolicyReplay from './policy/replay.ts';

type Result =
  | { readonly sessions: readonly SessionSummary[] }
  | { readonly session: string; readonly steps: readonly Step[] };

export default class Replay extends GovCommand {
  static override summary = 'Step through what an agent did: sessions, their calls, each decision in full.';
  static override description =
    'Reads the audit store and runs nothing. On a terminal it is a viewer (? shows the keys); in a pipe, or with ' +
    '--no-interactive, it prints. With --speed it then prints at the recorded pace.';
  static override examples = [
    '<%= config.bin %> replay',
    '<%= config.bin %> replay latest --speed 4',
    '<%= config.bin %> replay latest --no-interactive --filter held',
    '<%= config.bin %> replay --web',
    '<%= config.bin %> replay --against strict --since 7d',
  ];
  static override args = {
    session: Args.string({ description: "a session's id or its beginning, `latest`, or a record's id" }),
  };
  static override flags = {
    speed: Flags.string({ description: 'how many times as fast as it happened', helpValue: 'N' }),
    idle: Flags.string({ description: 'longest pause that is played, in seconds', helpValue: 'SECONDS' }),
    filter: Flags.string({ description: 'only steps that match, e.g. "held tool:Bash"; see ? in the viewer' }),
    follow: Flags.boolean({ char: 'f', description: 'go to the end and wait for more' }),
    full: Flags.boolean({ description: 'print each record in full; needs no terminal' }),
    interactive: Flags.boolean({ description: 'use the viewer if there is a terminal', default: true, allowNo: true }),
    against: Flags.string({
      description: 'what other rules would have decided: `gov policy replay`',
      helpValue: 'RULES',
      exclusive: ['web', 'follow', 'full', 'speed'],
    }),
    gate: Flags.string({
      description: 'with --against: condition that must hold, e.g. "newly_denied == 0"',
      helpValue: 'EXPR',
      dependsOn: ['against'],
    }),
    since: Flags.string({
      description: 'with --against: from this time on',
      helpValue: 'TIME',
      dependsOn: ['against'],
    }),
    until: Flags.string({ description: 'with --against: before this time', helpValue: 'TIME', dependsOn: ['against'] }),
    web: Flags.boolean({ description: 'serve the viewer to a browser on this machine' }),
    port: Flags.integer({
      description: 'port for --web (any free one if left out)',
      min: 0,
      max: 65535,
      dependsOn: ['web'],
    }),
  };

  async run(): Promise<Result> {
    const { args, flags } = await this.parse(Replay);
    if (flags.against !== undefined) return this.whatIf(args.session, flags);
    const speed = numberOf(flags.speed, '--speed', 0.01, 10_000);
    const idleMs = (numberOf(flags.idle, '--idle', 0, 86_400) ?? IDLE_MS / 1000) * 1000;
    const source = openSource(govPaths(process.env).database);
    try {
      const start =
        args.session === undefined ? null : source.read((store) => findStart(store, args.session as string));
      const terminal = process.stdin.isTTY && process.stdout.isTTY && process.env['TERM'] !== 'dumb';
      if (flags.web) return await this.serve(source, start, flags.port ?? 0, flags.filter ?? '');
      if (terminal && flags.interactive && !flags.full && !this.jsonEnabled()) {
        const { stdin: input, stdout: output, env } = process;
        await view(
          source,
          { input, output, env },
          { start, speed: speed ?? 1, idleMs, follow: flags.follow, filter: flags.filter ?? '' },
        );
        return { sessions: [] };
      }
      if (start === null) return this.list(source);
      return await this.print(source, start, { ...flags, speed, idleMs });
    } finally {
      source.close();
    }
  }

  /** The other meaning of replay has a command of its own, which prints. */
  private async whatIf(
    session: string | undefined,
    flags: Readonly<Record<'against' | 'gate' | 'since' | 'until', string | undefined>>,
  ): Promise<never> {
    const given = Object.entries({ ...flags, session }).flatMap(([name, value]) =>
      PASSED_ON.has(name) && typeof value === 'string' ? [`--${name}`, value] : [],
    );
    await PolicyReplay.run([...given, ...(this.jsonEnabled() ? ['--json'] : [])], this.config);
    return this.exit(Number(process.exitCode ?? 0));
  }

  private list(source: Source): Result {
    const sessions = source.read((store) => sessionsOf(store, 1000)).sessions;
    this.tell(sessionsPlain(sessions, columns()));
    if (!sessions.some((session) => session.id !== '') && !this.jsonEnabled())
      process.stderr.write('no session has been recorded yet\n');
    return { sessions };
  }

  private async print(
    source: Source,
    { session, seq }: Start,
    options: {
      readonly speed: number | null;
      readonly idleMs: number;
      readonly filter?: string | undefined;
      readonly full: boolean;
      readonly follow: boolean;
    },
  ): Promise<Result> {
    const timeline = read(source, session, EMPTY);
    const test = matcherOf(options.filter ?? '');
    const wanted = (all: readonly Step[]): readonly Step[] => (test === null ? all : all.filter(test));
    const from = (step: Step): boolean => seq === null || step.row.seq >= seq || step.outcome?.seq === seq;
    const steps = wanted(timeline.steps).filter(from);
    if (this.jsonEnabled()) return { session, steps };
    this.tell(headPlain(session, timeline.steps));
    const begin = timeline.steps[0]?.row.at ?? 0;
    const pace = paceOf(
      steps.map((step) => step.row.at),
      options.idleMs,
    );
    const started = performance.now();
    for (const [i, step] of steps.entries()) {
      if (options.speed !== null) await wait((pace[i] as number) / options.speed - (performance.now() - started));
      this.printStep(source, step, begin, options.full);
    }
    for (let known = timeline; options.follow; ) {
      await wait(500);
      const next = read(source, session, known);
      for (const step of wanted(next.steps.slice(known.steps.length)))
        this.printStep(source, step, begin, options.full);
      known = next;
    }
    return { session, steps };
  }

  private printStep(source: Source, step: Step, begin: number, full: boolean): void {
    const told = full || isHeld(step);
    const story = told ? source.read((store) => storyOf(store.show(String(step.row.seq)))) : null;
    this.tell(stepPlain(step, begin, story, full, columns()));
  }

  private tell(lines: readonly Line[]): void {
    if (this.jsonEnabled()) return;
    const ability = abilityOf(process.env);
    const plain = !process.stdout.isTTY && !process.env['FORCE_COLOR'];
    for (const line of lines) process.stdout.write(`${(plain ? textOf(line) : painted(line, ability)).trimEnd()}\n`);
  }

  private async serve(source: Source, start: Start | null, port: number, filter: string): Promise<Result> {
    const assets = new URL('../replay/web/', import.meta.url);
    const viewer = await serveViewer(source, { port, assets });
    const fragment = start === null ? '' : hashOf({ ...start, filter });
    const invite = (): void => {
      process.stdout.write(`${viewer.invite(fragment)}\n`);
    };
    process.stderr.write('The viewer: this address works once, enter prints another, ctrl-c ends.\n');
    invite();
    process.stdin.on('data', invite);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    // A file has no handle to let go.
    process.stdin.off('data', invite).pause();
    await viewer.close();
    return { sessions: [] };
  }
}

const PASSED_ON: ReadonlySet<string> = new Set(['against', 'gate', 'since', 'until', 'session']);

function columns(): number {
  return Math.max(60, process.stdout.columns || 120);
}

function numberOf(text: string | undefined, flag: string, least: number, most: number): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new GovError({
      code: 'usage-number',
      message: `${flag} \`${text}\` is not a number from ${least} to ${most}`,
    });
  return value;
}

function read(source: Source, session: string, known: Timeline): Timeline {
  let timeline = known;
  for (;;) {
    const rows = source.read((store) => rowsOf(store, session, timeline.lastSeq, 2000));
    timeline = extended(timeline, rows);
    if (rows.length < 2000) return timeline;
  }
}
