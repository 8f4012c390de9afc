import { compilers } from '../../../src/programs/compilers.ts';
import { type Row, runTable } from './run-model.ts';

const COMPILERS: readonly Row[] = [
  ['gcc -O2 -o build/tool src/tool.c -lm', ['read src/tool.c', 'write build/tool']],
  ['gcc a.c', ['read a.c', 'write a.out']],
  ['gcc -c a.c -o /home/dev/a.o', ['read a.c', 'write /home/dev/a.o']],
  ["gcc -wrapper sh,-c,'rm x' a.c", ['read a.c', 'write a.out', 'run: sh -c rm x']],
  ['gcc -fplugin=/tmp/x.so a.c -o a', ['read a.c', 'write a', 'exec /tmp/x.so', 'exec-unknown gcc']],
  ['clang -fsyntax-only a.c', ['read a.c']],
  ['ld -o /home/dev/x a.o', ['read a.o', 'write /home/dev/x']],
  ['ccache gcc -c a.c -o a.o', ['run: gcc -c a.c -o a.o']],
  ['bear -- make', ['run: make']],
  ['protoc --go_out=gen --plugin=p=/tmp/p a.proto', ['read a.proto', 'write gen', 'exec /tmp/p']],
  ['bison -o p.c p.y', ['read p.y', 'write p.c']],
  ['m4 -DX=1', ['sh ?: rm x'], { stdin: "syscmd(`rm x')" }],
  ['configure --prefix=/usr', []],
  ['pkg-config --libs x', []],
];

runTable('compilers', compilers, COMPILERS);
