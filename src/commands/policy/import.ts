import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { GovError, messageOf } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { fileError } from '../../base/file-errors.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { importClaudeCode } from '../../rulebook/import/claude-code.ts';
import { importCodex } from '../../rulebook/import/codex.ts';
import { importGemini } from '../../rulebook/import/gemini.ts';
import { type ImportReport, importedText, withoutUnseen } from '../../rulebook/import/rule.ts';

interface ImportResult {
  readonly rules: number;
  readonly left: readonly string[];
  readonly notes: readonly string[];
  readonly file: string | null;
  readonly text: string;
}

const READERS: Readonly<Record<string, (text: string) => ImportReport>> = {
  'claude-code': importClaudeCode,
  codex: importCodex,
  gemini: importGemini,
};

export default class PolicyImport extends GovCommand {
  static override summary = "Turn an agent's own permissions into rules, and say what is left out.";
  static override description =
    'Reads `permissions` of Claude Code settings, Codex `.rules` files, and Gemini CLI policies (TOML). The rules go to standard output or to --out, the report to standard error.';
  static override examples = [
    '<%= config.bin %> policy import .claude/settings.json > my-rules/imported.yaml',
    '<%= config.bin %> policy import ~/.codex/rules/default.rules --out my-rules/codex.yaml',
  ];
  static override args = { file: Args.string({ required: true, description: 'file with permissions' }) };
  static override flags = {
    from: Flags.string({
      description: 'whose form it has; default by the ending of its name',
      options: Object.keys(READERS),
    }),
    out: Flags.string({ char: 'o', description: 'file to write; never overwrites', helpValue: 'FILE' }),
  };

  async run(): Promise<ImportResult> {
    const { args, flags } = await this.parse(PolicyImport);
    const source =
      flags.from ?? (args.file.endsWith('.toml') ? 'gemini' : args.file.endsWith('.rules') ? 'codex' : 'claude-code');
    const report = read(args.file, READERS[source] as (text: string) => ImportReport, source);
    const text = importedText(source, report);
    if (flags.out === undefined) this.say(text.trimEnd());
    else {
      if (existsSync(flags.out))
        throw new GovError({
          code: 'usage-exists',
          message: `\`${flags.out}\` is there already`,
          help: 'name another file',
        });
      writeFileSync(flags.out, text);
    }
    if (!this.jsonEnabled()) {
      const note = (line: string): void => void process.stderr.write(`gov: ${visible(line)}\n`);
      note(
        `${counted(report.rules.length, 'rule', 'rules')} carried over, ${counted(report.left.length, 'entry', 'entries')} left out`,
      );
      for (const line of report.left) note(`left out: ${line}`);
      for (const line of report.notes) note(`note: ${line}`);
    }
    return { rules: report.rules.length, left: report.left, notes: report.notes, file: flags.out ?? null, text };
  }
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function read(file: string, reader: (text: string) => ImportReport, source: string): ImportReport {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError('usage-import', file, cause);
  }
  try {
    const report = withoutUnseen(reader(text));
    if (report.rules.length + report.left.length > 0) return report;
    return { ...report, notes: [...report.notes, `the file holds no entry of ${source}; name the form with --from`] };
  } catch (cause) {
    throw new GovError({
      code: 'usage-import',
      message: `\`${file}\` can't be read as permissions of ${source}: ${messageOf(cause)}`,
      help: 'name the form with --from',
      cause,
    });
  }
}
