import type { Layer } from '../model/decision.ts';
import type { CompiledRule, CompiledWaiver } from '../model/policy.ts';
import { type Finding, suggestion } from './finding.ts';
import { findingAt, keyRangeOf, type Path, rangeOf, type SourceDocument } from './source.ts';

interface WaiverData {
  readonly id: string;
  readonly rule: string;
  readonly exception: string;
  readonly values: readonly Readonly<Record<string, unknown>>[];
  readonly reason: string;
  readonly owner: string;
  readonly not_before?: string;
  readonly expires: string;
}

/** Checks each waiver against the shape that its rule declares. */
export function compileWaivers(
  doc: SourceDocument,
  layer: Layer,
  rules: ReadonlyMap<string, CompiledRule>,
  findings: Finding[],
): readonly CompiledWaiver[] {
  return (doc.data as unknown as { waivers: readonly WaiverData[] }).waivers.flatMap((data, index) => {
    const before = findings.length;
    const fault = (path: Path, code: string, message: string, help = '', key = false): void => {
      const [start, end] = (key ? keyRangeOf : rangeOf)(doc, ['waivers', index, ...path]);
      findings.push(findingAt(doc.file, start, end, code, message, help));
    };
    const rule = rules.get(data.rule);
    const shape = rule?.exceptions?.[data.exception];
    if (!rule)
      fault(
        ['rule'],
        'waiver-unknown-rule',
        `there is no rule \`${data.rule}\``,
        suggestion(data.rule, [...rules.keys()]),
      );
    else if (layer === 'project' && rule.layer !== 'project')
      fault(['rule'], 'overlay-not-permitted', 'a project may not lift a rule of a layer above it');
    else if (rule.level === 'hard') fault(['rule'], 'waiver-hard-rule', `\`${data.rule}\` is hard: nothing lifts it`);
    else if (!shape)
      fault(
        ['exception'],
        'waiver-unknown-exception',
        `\`${data.rule}\` declares no exception \`${data.exception}\``,
        suggestion(data.exception, Object.keys(rule.exceptions ?? {})),
      );
    // An approval whose reason or owner is an empty text is none.
    for (const key of ['reason', 'owner'] as const)
      if (data[key].trim() === '') fault([key], 'wrong-value', `\`${key}\` must not be empty`);
    if (shape)
      data.values.forEach((row, i) => {
        if (Object.keys(row).length === 0)
          fault(['values', i], 'waiver-empty', 'an empty row would lift the rule everywhere');
        for (const [name, value] of Object.entries(row)) {
          if (!Object.hasOwn(shape.fields, name))
            fault(
              ['values', i, name],
              'waiver-unknown-field',
              `the exception has no field \`${name}\``,
              suggestion(name, Object.keys(shape.fields)),
              true,
            );
          if (typeof value !== 'string' && !(Array.isArray(value) && value.every((v) => typeof v === 'string')))
            fault(['values', i, name], 'wrong-type', `\`${name}\` must be a text or a list of texts`);
          // SECURITY: with `under` an empty text is the parent of every path.
          else if ([value].flat().includes(''))
            fault(['values', i, name], 'wrong-value', `\`${name}\` must not be empty`);
        }
      });
    const notBefore = data.not_before === undefined ? 0 : Date.parse(data.not_before);
    const expires = Date.parse(data.expires);
    if (expires <= notBefore) fault(['expires'], 'waiver-never-live', 'the waiver ends before it starts');
    if (findings.length > before) return [];
    return [
      {
        id: data.id,
        rule: data.rule,
        exception: data.exception,
        values: data.values as CompiledWaiver['values'],
        reason: data.reason,
        owner: data.owner,
        notBefore,
        expires,
      },
    ];
  });
}
