import type { EffectDraft } from '../model/effect.ts';
import { render, type Value } from '../model/value.ts';

/** A variable that makes a later program run code when set, or null. */
export function codeVariable(name: string, value: Value): EffectDraft | null {
  return name === 'LD_PRELOAD' ? { kind: 'env-inject', target: name, detail: render(value) } : null;
}

/** The shell text that a later program would run because of the variable, or null. */
export function codeVariableScript(_name: string, _value: Value): Value | null {
  return null;
}
