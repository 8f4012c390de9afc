import { Args } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { celReference } from '../../rulebook/cel-reference.ts';
import { suggestion } from '../../rulebook/finding.ts';
import { keyReference } from '../../rulebook/key-reference.ts';
import { CHECK_CODES, type CodePage, LINT_CODES } from '../../rulebook/lint/codes.ts';

interface DocsResult {
  readonly topic: string;
  readonly text: string;
}

export default class PolicyDocs extends GovCommand {
  static override summary = 'Explain a finding, or print the reference of the rule language.';
  static override examples = [
    '<%= config.bin %> policy docs dead-rule',
    '<%= config.bin %> policy docs cel',
    '<%= config.bin %> policy docs keys',
  ];
  static override args = {
    topic: Args.string({
      required: true,
      description: 'a code of a finding, `cel` (the rule language), or `keys` (policy files)',
    }),
  };

  async run(): Promise<DocsResult> {
    const { args } = await this.parse(PolicyDocs);
    const text = TOPICS[args.topic]?.() ?? pageOf(args.topic);
    this.say(text.trimEnd());
    return { topic: args.topic, text };
  }
}

const TOPICS: Readonly<Record<string, () => string>> = { cel: celReference, keys: keyReference };

function pageOf(code: string): string {
  const pages: Readonly<Record<string, CodePage>> = { ...CHECK_CODES, ...LINT_CODES };
  const page = Object.hasOwn(pages, code) ? pages[code] : undefined;
  if (page) return `${code}: ${page.found}\n\n${page.why}\n\nFix: ${page.fix}\n`;
  throw new GovError({
    code: 'usage-unknown-topic',
    message: `there is no page \`${code}\``,
    help: suggestion(code, [...Object.keys(TOPICS), ...Object.keys(pages)]) || '`cel`, `keys`, or a code of a finding',
  });
}
