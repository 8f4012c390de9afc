import type { ASTNode } from '@marcbachmann/cel-js';
import { typeName } from './lower.ts';

/** Fields that may hold a secret, as `Type.field`. */
const SECRET_FIELDS = new Set(['File.content', 'Result.text', 'Tool.input', 'Command.env', 'Effect.content']);

/** A part of an expression whose value may be a secret. */
export interface SecretField {
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

/** Secret fields that the value of an expression is made of; not those that decide about it or are counted. */
export function secretFieldsIn(ast: ASTNode): readonly SecretField[] {
  if (typeName(ast) === 'bool' || typeName(ast) === 'int') return [];
  const found: SecretField[] = [];
  const look = (node: ASTNode): void => {
    if (node.op === '.' && SECRET_FIELDS.has(`${typeName(node.args[0])}.${node.args[1]}`))
      found.push({ field: node.args[1], start: node.start, end: node.end });
    if (node.op === 'call' && node.args[0] === 'secrets') return;
    children(node).forEach(look);
  };
  look(ast);
  return found;
}

function children(node: ASTNode): readonly ASTNode[] {
  const out: ASTNode[] = [];
  const each = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(each);
    else if (typeof value === 'object' && value !== null && 'op' in value) out.push(value as ASTNode);
  };
  each(node.args);
  return out;
}
