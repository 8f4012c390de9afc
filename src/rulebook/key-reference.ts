import { boundsReference } from './bounds-reference.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { DOCUMENTS } from './shapes.ts';

/** The keys of policy files as Markdown, made from the shapes that `gov policy check` checks them with. */
export function keyReference(): string {
  const lines = [
    '# Policy files: every key',
    '',
    '<!-- Made from src/rulebook/shapes.ts by `gov policy docs keys`; a test compares the two. -->',
    '',
    'A file holds one or more documents, split by `---`. An unknown key is an error. Conditions and other expressions are',
    'CEL: see [the rule language](cel-reference.md).',
  ];
  for (const [kind, shape] of Object.entries(DOCUMENTS)) {
    lines.push('', `## ${kind}`, '', `${sentence(shape.doc)}`, '');
    lines.push(...tableOf(shape));
    lines.push(...nested(shape, [], 3));
  }
  lines.push('', ...boundsReference());
  return `${lines.join('\n')}\n`;
}

function tableOf(shape: ObjectShape): string[] {
  const rows = Object.entries(shape.keys).map(([key, value]) => {
    const name = shape.required?.includes(key) ? `**\`${key}\`**` : `\`${key}\``;
    return `| ${name} | ${cell(typeOf(value))} | ${cell([value.doc, ...meaningsOf(value)].filter((d) => d !== '').join('<br>'))} |`;
  });
  return ['| key | is | what for |', '| --- | --- | --- |', ...rows];
}

/** What each word means that can stand there. */
function meaningsOf(shape: Shape): readonly string[] {
  if (shape.is === 'list' || shape.is === 'record') return meaningsOf(shape.of);
  if (shape.is !== 'enum' || !shape.meanings || shape.values.length < 2) return [];
  return Object.entries(shape.meanings).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
}

/** Tables of the objects inside, each under its path. */
function nested(shape: ObjectShape, path: readonly string[], level: number): string[] {
  return Object.entries(shape.keys).flatMap(([key, value]) => {
    const [inner, mark] = objectIn(value);
    if (!inner) return [];
    const here = [...path, `${key}${mark}`];
    const title = `${'#'.repeat(Math.min(level, 5))} \`${here.join('.')}\``;
    return ['', title, '', ...tableOf(inner), ...nested(inner, here, level + 1)];
  });
}

function objectIn(shape: Shape): readonly [ObjectShape | null, string] {
  switch (shape.is) {
    case 'object':
      return [shape, ''];
    case 'list':
      return [objectIn(shape.of)[0], '[]'];
    case 'record':
      return [objectIn(shape.of)[0], '.NAME'];
    case 'either':
      return shape.of.map(objectIn).find(([inner]) => inner) ?? [null, ''];
    default:
      return [null, ''];
  }
}

function typeOf(shape: Shape): string {
  switch (shape.is) {
    case 'text':
      return shape.hint ?? (shape.max === undefined ? 'text' : `text, at most ${shape.max} characters`);
    case 'cel':
      return 'expression';
    case 'int':
      return shape.min === undefined ? 'number' : `number, at least ${shape.min}`;
    case 'bool':
      return '`true` or `false`';
    case 'enum':
      return shape.values.map((v) => `\`${v}\``).join(', ');
    case 'list':
      return shape.of.is === 'enum' ? `list of ${typeOf(shape.of)}` : `list of ${plural(typeOf(shape.of))}`;
    case 'record':
      return `map of names to ${plural(typeOf(shape.of))}`;
    case 'object':
      return 'map, see below';
    case 'either':
      return shape.of.map(typeOf).join(', or ');
    case 'any':
      return 'anything';
  }
}

function plural(type: string): string {
  if (type === 'text' || type === 'number' || type === 'expression') return `${type}s`;
  return type === 'map, see below' ? 'maps, see below' : type;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
