import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService, type LanguageService } from 'yaml-language-server';
import { policySchema } from '../../../src/rulebook/json-schema.ts';
import { RULE } from '../../../src/rulebook/rule-shape.ts';
import { DOCUMENTS } from '../../../src/rulebook/shapes.ts';
import { readSources } from '../../../src/rulebook/source-files.ts';

/** The YAML language server that editors run, in this process, with our schema for every file. */
const server: LanguageService = getLanguageService({
  schemaRequestService: (uri) => Promise.reject(new Error(`asks for ${uri}`)),
  workspaceContext: { resolveRelativePath: (path) => path },
});
server.configure({
  validate: true,
  completion: true,
  hover: true,
  format: false,
  schemas: [{ uri: 'file:///gov-policy.json', fileMatch: ['*'], schema: JSON.parse(JSON.stringify(policySchema())) }],
});

let version = 0;

/** A document, and the place of `│` in it. The server keeps what it read of one, by its version. */
function open(text: string): { document: TextDocument; position: { line: number; character: number } } {
  const at = text.indexOf('│');
  const document = TextDocument.create('file:///policy.yaml', 'yaml', ++version, text.replace('│', ''));
  return { document, position: document.positionAt(Math.max(0, at)) };
}

async function completions(text: string): Promise<ReadonlyMap<string, string>> {
  const { document, position } = open(text);
  const { items } = await server.doComplete(document, position, false);
  const textOf = (doc: unknown): string => (typeof doc === 'string' ? doc : ((doc as { value?: string })?.value ?? ''));
  // Besides keys and words it offers to fill in a whole object.
  const offered = items.filter(({ label }) => !label.startsWith('object('));
  return new Map(offered.map((item) => [item.label, textOf(item.documentation)]));
}

async function diagnostics(text: string): Promise<string[]> {
  const found = await server.doValidation(open(text).document, false);
  return found.map((d) => `${d.range.start.line + 1}:${d.range.start.character + 1} ${d.message}`);
}

const RULES =
  'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: x }\nrules:\n  - id: a.b\n    title: T\n    severity: low\n';

describe('an editor with the schema completes', () => {
  it('the kinds of documents, each with what it holds', async () => {
    const found = await completions('apiVersion: gov/v1\nkind: │\n');
    expect([...found.keys()].sort()).toEqual(Object.keys(DOCUMENTS).sort());
    expect(found.get('Waivers')).toContain('approved exceptions with an end');
  });

  it.each(Object.entries(DOCUMENTS).map(([kind, shape]) => [kind, Object.keys(shape.keys)] as const))(
    'the keys of a %s',
    async (kind, keys) => {
      const found = await completions(`apiVersion: gov/v1\nkind: ${kind}\n│\n`);
      expect([...found.keys()].sort()).toEqual(keys.filter((key) => key !== 'apiVersion' && key !== 'kind').sort());
    },
  );

  it('the keys of a rule that it does not have yet, each with what it is for', async () => {
    const found = await completions(`${RULES}    │\n`);
    const free = Object.entries(RULE.keys).filter(([key]) => !['id', 'title', 'severity'].includes(key));
    expect([...found.keys()].sort()).toEqual(free.map(([key]) => key).sort());
    for (const [key, shape] of free) expect(found.get(key)).toContain(shape.doc);
  });

  it.each<[string, string, string, string]>([
    ['effect: │', 'deny', 'told why and what to do instead', 'halt deny ask redact modify warn context allow'],
    ['level: │', 'hard', 'nothing lifts it', 'hard soft advisory'],
    ['mode: │', 'shadow', 'would have', 'enforce shadow off'],
    ['each: │', 'dest', 'place that data goes to', 'command file dest effect'],
    ['on_dynamic: │', 'ignore', 'counts as false', 'ask match ignore'],
    ['tools:\n      - │', 'mcp', 'MCP server', 'shell read write edit search fetch mcp task other'],
    ['limit:\n      counts: │', 'failure', 'made and failed', 'call failure deny lines files minutes'],
    [
      'tests:\n      cases:\n        - event: ls\n          expect:\n            effect: │',
      'none',
      '',
      'none halt deny ask redact modify warn context allow',
    ],
  ])('the words of `%s` with their meaning', async (line, word, meaning, all) => {
    const found = await completions(`${RULES}    ${line}\n`);
    expect([...found.keys()].map((label) => label.replaceAll('"', '')).sort()).toEqual(all.split(' ').sort());
    expect(found.get(word)).toContain(meaning);
  });
});

describe('an editor with the schema says', () => {
  it.each<[string, string, string]>([
    ['a key', `${RULES}    on_dyn│amic: ask\n`, 'when a fact that the condition needs is unknown'],
    ['a nested key', `${RULES}    elevation: { ma│x: 30m }\n`, 'longest time'],
    ['a key of another kind', 'apiVersion: gov/v1\nkind: Overlay\ntarg│et: x\n', 'name of the pack'],
  ])('what %s is for, on hovering', async (_name, text, want) => {
    const { document, position } = open(text);
    const hover = await server.doHover(document, position);
    expect(JSON.stringify(hover?.contents)).toContain(want);
  });

  it.each<[string, string, readonly unknown[]]>([
    ['nothing about a rule that is right', `${RULES}    when: "true"\n    effect: deny\n`, []],
    ['that a key is wrong', `${RULES}    wehn: "true"\n    effect: deny\n`, ['8:5 Property wehn is not allowed.']],
    [
      'that a word is wrong',
      `${RULES}    effect: denyy\n`,
      [expect.stringMatching(/^8:13 Value is not accepted\. Valid values: "halt", "deny"/)],
    ],
    [
      'that a key is missing',
      'apiVersion: gov/v1\nkind: Waivers\n',
      [expect.stringMatching(/^1:1 Missing property "waivers"/)],
    ],
    [
      'that a type is wrong',
      `${RULES}    version: one\n    effect: deny\n`,
      [expect.stringMatching(/^8:14 Incorrect type/)],
    ],
    [
      'which document is wrong',
      `${RULES}    effect: deny\n---\napiVersion: gov/v1\nkind: Library\nlist: {}\n`,
      ['12:1 Property list is not allowed.'],
    ],
  ])('%s', async (_name, text, want) => {
    expect(await diagnostics(text)).toEqual(want);
  });

  it('nothing about the built-in rules', async () => {
    for (const { path, text } of readSources(['rules'])) expect([path, await diagnostics(text)]).toEqual([path, []]);
  });
});
