import { languages } from '../../../src/programs/languages.ts';
import { type Row, runTable } from './run-model.ts';

const LANGUAGES: readonly Row[] = [
  ['lua -e \'os.remove("/home/dev/x")\'', ['delete /home/dev/x ?']],
  ['Rscript -e \'unlink("/home/dev/x")\'', ['delete /home/dev/x ?']],
  ['groovy -e \'"rm x".execute()\'', ['sh: rm x']],
  ['julia -e \'rm("/home/dev/x")\'', ['delete /home/dev/x ?']],
  ['elixir -e \'File.rm!("/home/dev/x")\'', ['delete /home/dev/x ?']],
  ['mix ecto.drop', ['db-drop database']],
  ['mix ecto.reset', [], { env: { MIX_ENV: 'test' } }],
  ['mix test', []],
  ['mix deps.get', ['install dependencies of the project']],
  ['mix hex.publish', ['publish package']],
  ['erl -noshell -eval \'os:cmd("rm x").\'', ['exec-foreign erlang', 'sh ?: rm x']],
  ['ghc -e \'System.Process.callCommand "rm x"\'', ['exec-foreign haskell', 'sh ?: rm x']],
  ['stack exec rm x', ['run: rm x']],
  ['cabal upload x', ['publish package']],
  ['dart pub get', ['install dependencies of the project']],
  ['dart pub publish', ['publish package']],
  ['swift build', []],
  ['clang-format -i a.c', ['write a.c -r some']],
  ['shellcheck a.sh', ['read a.sh -r']],
  ['ghci', ['exec-remote ghci'], { stdin: { value: null, taints: ['network'] } }],
];

runTable('languages', languages, LANGUAGES);
