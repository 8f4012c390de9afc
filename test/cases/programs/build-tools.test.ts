import { buildTools } from '../../../src/programs/build-tools.ts';
import { type Row, runTable } from './run-model.ts';

const BUILD_TOOLS: readonly Row[] = [
  ['cmake -S . -B build', ['read .', 'create build -r']],
  ['cmake --build build -j8', []],
  ['cmake --install build', ['write /usr/local -r some ?']],
  ['cmake --install build --prefix out', ['write out -r some']],
  ['cmake -E rm -rf /home/dev/x', ['delete /home/dev/x -r -f']],
  ['cmake -E remove_directory ../x', ['delete ../x -r']],
  ['cmake -E copy_directory a b', ['read a -r', 'write b -r some']],
  ['cmake -E env A=1 rm x', ['run: rm x']],
  ['cmake -E chdir /tmp rm x', ['run: rm x']],
  ['cmake -P x.cmake', ['exec x.cmake']],
  ['ctest --test-dir build', []],
  ['ninja -C build', []],
  ['meson setup build', []],
  ['bazel test //...', []],
  ['bazel run //x', []],
  ['latexmk -pdf a.tex', ['read a.tex -r']],
  ['hugo -d public', ['write public']],
];

runTable('build-tools', buildTools, BUILD_TOOLS);
