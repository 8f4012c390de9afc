import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Flags } from '@oclif/core';
import { visible } from '../base/escape.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { type DemoAnswer, makePlace, play } from '../demo/play.ts';

interface DemoResult {
  readonly home: string;
  readonly steps: readonly { says: string; tool: string; input: unknown; answer: string; told: readonly string[] }[];
}

export default class Demo extends GovCommand {
  static override summary = 'Play a recorded agent session through the hooks, in a scratch workspace.';
  static override description =
    'Every call goes through the real hook executable, one process each, as an agent would do it. No command of the ' +
    'session is run. Nothing outside a new directory below the temporary directory is touched.';
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --json'];
  static override flags = {
    clean: Flags.boolean({ description: 'remove the scratch directory at the end' }),
  };

  async run(): Promise<DemoResult> {
    const { flags } = await this.parse(Demo);
    const place = makePlace();
    const hooks = fileURLToPath(new URL('../../hooks', import.meta.url));
    const p = paint(process.stdout);
    this.say(p.bold('An agent works on a small web shop. Each call passes through gov before it runs.'));
    this.say(p.dim(`workspace ${place.workspace}`));
    this.say();
    const answers: DemoAnswer[] = [];
    for (const answer of play(place, hooks)) {
      answers.push(answer);
      this.tell(answer);
    }
    const count = (kind: string): number => answers.filter((a) => a.answer === kind).length;
    this.say();
    this.say(
      p.bold(
        `${answers.length} calls: ${count('allowed')} allowed, ${count('asked')} asked, ${count('blocked')} blocked`,
      ) +
        p.dim(
          ` · median ${median(answers.map((a) => a.ms)).toFixed(0)} ms a call, process start and durable record included`,
        ),
    );
    if (!this.jsonEnabled()) this.epilogue(place.govHome, place.env);
    if (flags.clean) rmSync(place.root, { recursive: true, force: true });
    else this.say(p.dim(`\nAll of it lies in ${place.root}: delete it when you have seen enough.`));
    return {
      home: place.govHome,
      steps: answers.map((a) => ({
        says: a.step.says,
        tool: a.step.tool,
        input: a.step.input,
        answer: a.answer,
        told: a.told,
      })),
    };
  }

  private tell(answer: DemoAnswer): void {
    const p = paint(process.stdout);
    const mark =
      answer.answer === 'allowed'
        ? p.green('allowed')
        : answer.answer === 'asked'
          ? p.yellow('asked  ')
          : p.red('blocked');
    const { command, file_path } = answer.step.input as { command?: string; file_path?: string };
    const what = command ?? `${answer.step.tool} ${file_path?.replace('$W/', '')}`;
    this.say(`${mark}  ${visible(what)}  ${p.dim(`# ${answer.step.says}`)}`);
    for (const line of answer.told) this.say(p.dim(`         ${visible(line)}`));
  }

  /** The report of the session that was just recorded, and where to go from here. */
  private epilogue(govHome: string, env: NodeJS.ProcessEnv): void {
    const p = paint(process.stdout);
    const bin = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
    const gov = (...args: string[]): void => {
      spawnSync(process.execPath, [bin, ...args], {
        env: { ...process.env, ...env, CLAUDECODE: undefined },
        stdio: 'inherit',
      });
    };
    this.say();
    this.say(p.bold('What an auditor sees'));
    gov('audit', 'report');
    this.say();
    this.say(p.bold('Next'));
    const as = `GOV_HOME=${govHome} node bin/run.js`;
    const next = [
      [`${as} audit list`, 'each decision of this session'],
      [`${as} audit show ID`, 'one of them, with effects and the rules that fired'],
      [`${as} replay latest`, 'the session, step by step (--web: in a browser)'],
      ["node bin/run.js check --explain -- 'd=~; rm -rf $d/x'", 'how a command is understood'],
      ['node bin/run.js init --agent claude-code --dry-run', 'register in your agent: shows the change first'],
    ] as const;
    const width = Math.max(...next.map(([command]) => command.length));
    for (const [command, what] of next) this.say(`  ${command.padEnd(width)}  ${p.dim(what)}`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
