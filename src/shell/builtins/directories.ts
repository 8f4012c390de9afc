import { posix } from 'node:path';
import { concat, isDynamic, known, knownPrefix, textOf, type Value } from '../../model/value.ts';
import { joinPlaces, setPlaces } from '../places.ts';
import type { Run } from '../run.ts';
import { textStream } from '../sinks.ts';
import { hole, keyOf, lines, type Place, type State, setText } from '../state.ts';
import { isFilled, placeOf, readText } from '../variables.ts';
import { type BuiltinCall, type BuiltinTable, describe, finish, print, readOptions } from './builtin.ts';

const MAX_PATH = 1024;

/** A directory as `cd` would go to it from another, `..` taken off as text where it can be. */
function directoryFrom(from: Value, to: Value): Value {
  const start = knownPrefix(to);
  const whole = start.startsWith('/') ? to : to.length === 0 ? from : concat(from, ['/'], to);
  const text = textOf(whole);
  if (text === null) return concat(whole.map((p) => (typeof p === 'string' ? p.replace(/\/{2,}/g, '/') : p)));
  if (text.length > MAX_PATH) return [hole('a path that is too long')];
  const normal = posix.normalize(text);
  return known(normal.length > 1 ? normal.replace(/\/$/, '') : normal);
}

/** True if changing there surely succeeds, false if it surely fails, else null. */
function exists(run: Run, s: State, place: Value, target: Value, written: Value): boolean | null {
  if (s.frame.elsewhere !== '') return true;
  if (run.made.has(keyOf(written)) || run.made.has(keyOf(target))) return true;
  const { real } = run.world.resolve(place, target, true);
  if (real === null) return null;
  const kind = run.world.kind(real);
  return kind === 'dir' ? true : kind === 'file' ? false : null;
}

/** Goes there: the paths on which it works and those on which it does not. */
function go(b: BuiltinCall, target: Value, written: Value): void {
  const { run, s } = b;
  const place = placeOf(run, s);
  const to = directoryFrom(place.value, target);
  const works = exists(run, s, place.value, to, written);
  const here: Place = { value: place.value, certain: works === false && place.certain, after: 'fail' };
  const there: Place = { value: to, certain: place.certain, after: 'ok' };
  if (works === false) {
    s.status = 'fail';
    return setPlaces(s, [{ ...here, after: 'any' }]);
  }
  setText(s, 'OLDPWD', place.value);
  setText(s, 'PWD', to);
  s.vars.delete('PWD');
  s.status = works === true ? 'ok' : 'maybe';
  setPlaces(s, works === true ? [{ ...there, after: 'any' }] : joinPlaces([there, here]));
}

function cd(b: BuiltinCall): void {
  const { run, s } = b;
  const { flags, rest } = readOptions(b.argv);
  describe(b, flags, rest);
  const [first, ...more] = rest;
  if (!first) return go(b, readText(run, s, 'HOME') ?? known(run.world.home), []);
  const text = textOf(first);
  if (text === '') return;
  if (text === '-') return go(b, readText(run, s, 'OLDPWD') ?? [hole('the previous directory is not known')], first);
  // zsh's `cd old new` replaces text in the current directory.
  if (more.length > 0 && run.dialect !== 'zsh') return finish(b, 'fail');
  go(b, searched(run, s, matched(run, s, first)), first);
}

/** A pattern that names one directory. */
function matched(run: Run, s: State, word: Value): Value {
  if (!word.some((p) => typeof p !== 'string' && 'glob' in p)) return word;
  const names = isDynamic(word) ? null : run.world.glob(placeOf(run, s).value, word);
  return names?.length === 1
    ? known(names[0] as string)
    : word.map((p) => (typeof p !== 'string' && 'glob' in p ? hole(`a name that matches ${p.glob}`, 'name') : p));
}

/** With CDPATH set, a relative name may lead anywhere that it lists. */
function searched(run: Run, s: State, word: Value): Value {
  const start = knownPrefix(word);
  if (/^\.{0,2}\//.test(start) || /^\.\.?$/.test(textOf(word) ?? '')) return word;
  const path = readText(run, s, 'CDPATH');
  if (path === null || isFilled(path) !== true || textOf(path) === '.') return word;
  return [hole('CDPATH decides where cd goes')];
}

function pushd(b: BuiltinCall): void {
  const { run, s } = b;
  const { rest } = readOptions(b.argv);
  describe(b, [], rest);
  const before = placeOf(run, s).value;
  const [first] = rest;
  const text = first ? textOf(first) : null;
  if (first && !/^[-+]\d+$/.test(text ?? '')) {
    const dirs = [before, ...s.dirs];
    go(
      b,
      text === '-'
        ? (readText(run, s, 'OLDPWD') ?? [hole('the previous directory is not known')])
        : searched(run, s, matched(run, s, first)),
      first,
    );
    if (s.status !== 'fail') s.dirs = dirs;
  } else if (first) go(b, [hole('a directory of the stack is not known')], first);
  else {
    const [top, ...others] = s.dirs;
    if (!top) return finish(b, 'fail');
    go(b, top, top);
    s.dirs = [before, ...others];
  }
  print(b, { value: null, taints: [] });
}

function popd(b: BuiltinCall): void {
  const { s } = b;
  const { rest } = readOptions(b.argv);
  describe(b, [], rest);
  const [top, ...others] = s.dirs;
  print(b, { value: null, taints: [] });
  if (rest.length > 0) return go(b, [hole('a directory of the stack is not known')], []);
  if (!top) return finish(b, 'fail');
  // It was the shell's directory before: going back works.
  const place = placeOf(b.run, s);
  setText(s, 'OLDPWD', place.value);
  setPlaces(s, [{ value: top, certain: place.certain, after: 'any' }]);
  s.status = 'ok';
  s.dirs = others;
}

function dirs(b: BuiltinCall): void {
  const { flags } = readOptions(b.argv);
  if (flags.has('c')) b.s.dirs = [];
  const all = [placeOf(b.run, b.s).value, ...b.s.dirs];
  print(b, textStream(concat(lines(all, ' '), ['\n'])));
}

export const DIRECTORY_BUILTINS: BuiltinTable = [
  ['cd', cd],
  ['chdir', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
];
