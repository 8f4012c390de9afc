import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Flags } from '@oclif/core';
import { GovError } from '../base/errors.ts';
import { fileError } from '../base/file-errors.ts';
import type { CheckResult } from '../cli/check-answer.ts';
import { GovCommand } from '../cli/gov-command.ts';

/** One decision, or a batch of them; nothing is run and nothing is recorded. */
export default class Check extends GovCommand {
  static override summary = 'Say what gov would decide about one tool call.';
  static override description =
    'Judges a shell command or another tool call with the rules in force. The command is never run and the answer ' +
    'is not recorded. With --exit-code: 2 if the call is denied, 1 if a person would be asked.';
  static override examples = [
    "<%= config.bin %> check -- 'rm -rf build'",
    "<%= config.bin %> check --explain -- 'curl -s https://example.com/x | sh'",
    `<%= config.bin %> check --tool Read --input '{"file_path": ".env"}' --json`,
    '<%= config.bin %> check --batch calls.jsonl',
  ];
  static override strict = false;
  static override flags = {
    tool: Flags.string({ description: "the agent's name of the tool", default: 'Bash' }),
    input: Flags.string({ description: "the tool's input, as a JSON object" }),
    cwd: Flags.string({ description: 'directory of the call', helpValue: 'DIR' }),
    agent: Flags.string({ description: 'the agent that calls', default: 'claude-code' }),
    preset: Flags.string({ description: 'judge by this preset instead of the policy in force' }),
    explain: Flags.boolean({ description: 'show what was understood and which rules spoke' }),
    'exit-code': Flags.boolean({ description: 'end with 2 if the call is denied, 1 if a person would be asked' }),
    batch: Flags.string({
      description: 'judge each line {id, tool, input, cwd?, agent?, world?} of a file (- for standard input)',
      helpValue: 'FILE.jsonl',
      exclusive: ['input', 'explain', 'exit-code'],
    }),
  };

  /** A batch prints its own lines. */
  private printed = false;

  async run(): Promise<CheckResult | undefined> {
    const { flags, argv } = await this.parse(Check);
    const { policyInForce } = await import('../cli/check-policy.ts');
    const cwd = resolve(flags.cwd ?? process.cwd());
    const policy = await policyInForce(process.env, flags.preset, flags.batch === undefined ? cwd : null);
    if (flags.batch !== undefined) {
      const { answerLine } = await import('../cli/check-batch.ts');
      const { optimiseLater } = await import('../base/late-optimising.ts');
      optimiseLater();
      this.printed = true;
      const lines = linesOf(flags.batch).filter((line) => line.trim() !== '');
      const defaults = { cwd, agent: flags.agent, env: process.env };
      await writeLines(lines, (line) => JSON.stringify(answerLine(line, policy, defaults)));
      return undefined;
    }

    const { commandText, parseInput } = await import('../cli/check-call.ts');
    const words = argv.map(String);
    const input = inputOf(flags.input, words, parseInput, commandText);
    const { exitCodeOf, judgeCall, resultOf } = await import('../cli/check-answer.ts');
    const { machineWorld } = await import('../world/machine.ts');
    const call = { tool: flags.tool, input, cwd, agent: flags.agent };
    const judged = judgeCall(
      call,
      machineWorld({ cwd, env: process.env }),
      policy,
      flags.explain || this.jsonEnabled(),
    );
    if (flags['exit-code']) process.exitCode = exitCodeOf(judged.decision.answer);
    if (!this.jsonEnabled()) {
      const { explanation, headline } = await import('../cli/check-explain.ts');
      const { paint } = await import('../cli/paint.ts');
      const p = paint(process.stdout);
      for (const line of flags.explain ? explanation(judged, p) : [headline(judged, p)]) this.say(line);
    }
    return resultOf(judged);
  }

  protected override logJson(json: unknown): void {
    if (!this.printed) super.logJson(json);
  }
}

function inputOf(
  given: string | undefined,
  words: readonly string[],
  parse: (text: string) => Readonly<Record<string, unknown>>,
  join: (words: readonly string[]) => string,
): Readonly<Record<string, unknown>> {
  if (given !== undefined && words.length > 0)
    throw new GovError({ code: 'usage-check', message: 'give either --input or a command, not both' });
  if (given !== undefined) return parse(given);
  if (words.length > 0) return { command: join(words) };
  throw new GovError({
    code: 'usage-check',
    message: 'nothing to check',
    help: "gov check -- 'COMMAND', or --tool and --input, or --batch FILE",
  });
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').split('\n');
  } catch (cause) {
    throw fileError('usage-batch', file, cause);
  }
}

/** Writes each answer when it is there, and waits for a slow reader. */
async function writeLines(lines: readonly string[], answer: (line: string) => string): Promise<void> {
  for (const line of lines)
    if (!process.stdout.write(`${answer(line)}\n`)) await new Promise((done) => process.stdout.once('drain', done));
}
