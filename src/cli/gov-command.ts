import { Command } from '@oclif/core';
import { addonFault } from '../audit/addon-fault.ts';
import { GovError } from '../base/errors.ts';
import { visible, visibleJson, visibleLines } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { parserMessage } from './parser-message.ts';

/** What all commands of `gov` share: how errors print and which exit codes they end with. */
export abstract class GovCommand extends Command {
  static override enableJsonFlag = true;

  /** Known errors are one line, a place and one hint; anything else is a defect and says so. */
  protected override async catch(thrown: Error & { oclif?: { exit?: number }; exitCode?: number }): Promise<void> {
    const error = addonFault(thrown) ?? thrown;
    if (error instanceof GovError) {
      const where = error.at ? `${visible(error.at.file)}:${error.at.line}:${error.at.column}: ` : '';
      if (this.jsonEnabled())
        this.logJson({ error: { code: error.code, message: error.message, help: error.help, at: error.at } });
      else
        process.stderr.write(
          `gov: ${where}${visible(error.message)}${error.help ? `\n     ${visibleLines(error.help)}` : ''}\n`,
        );
      return this.exit(exitOf(error.code));
    }
    if (error.oclif?.exit !== undefined && error.constructor.name === 'ExitError') throw error;
    if (error.oclif?.exit !== undefined) {
      const help = `see \`gov ${this.id?.replaceAll(':', ' ') ?? ''} --help\``;
      const message = parserMessage(error);
      if (this.jsonEnabled()) this.logJson({ error: { code: 'usage', message, help } });
      else process.stderr.write(`gov: ${visible(message)}\n     ${help}\n`);
      // Errors of the parser carry what was parsed, all but that of a flag given twice; some have no exit code of their own.
      const ofParser = 'parse' in error || / can only be specified once$/.test(error.message);
      return this.exit(error.oclif.exit === EXIT.internal && !ofParser ? EXIT.internal : EXIT.usage);
    }
    if ((error as NodeJS.ErrnoException).syscall === 'uv_cwd') {
      process.stderr.write('gov: the current directory does not exist any more\n     change to another one\n');
      return this.exit(EXIT.usage);
    }
    process.stderr.write(`gov: internal error: ${error.stack ?? error.message}\n     please report this\n`);
    return this.exit(EXIT.internal);
  }

  /** SECURITY: JSON is read at terminals too; only the way it is spelled differs. */
  protected override logJson(json: unknown): void {
    process.stdout.write(`${visibleJson(JSON.stringify(json, null, 2))}\n`);
  }

  /** A line of people's text on standard output. */
  protected say(line = ''): void {
    if (!this.jsonEnabled()) process.stdout.write(`${line}\n`);
  }
}

/** The exit code for an error's code. */
export function exitOf(code: string): number {
  if (code.startsWith('usage')) return EXIT.usage;
  if (code.startsWith('store') || code.startsWith('policy')) return EXIT.unreadable;
  return EXIT.internal;
}
