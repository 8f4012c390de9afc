import { makes } from '../../../src/programs/make.ts';
import { type Row, runTable } from './run-model.ts';

const MAKEFILE = {
  Makefile:
    'OUT := build\nCC ?= gcc\nall: lib test\n\nlib: $(OUT)/x.o\n\t@mkdir -p $(OUT)\n\t$(CC) -o $(OUT)/lib \\\n\t  x.c\n%.o: %.c\n\tcc -c $< -o $@\ntest: ; ./run-tests --fast\nclean:\n\t-rm -rf $(OUT) $$HOME/x\nsub:\n\t$(MAKE) -C sub all\n.PHONY: all clean\n',
};

const MAKES: readonly Row[] = [
  [
    'make',
    ['sh: cc -c build/x.c -o build/x.o', 'sh: mkdir -p build', 'sh: gcc -o build/lib  x.c', 'sh: ./run-tests --fast'],
    { files: MAKEFILE },
  ],
  ['make clean', ['sh: rm -rf build $HOME/x'], { files: MAKEFILE }],
  ['make -n clean', [], { files: MAKEFILE }],
  ['make clean OUT=/home/dev/o', ['sh: rm -rf /home/dev/o $HOME/x'], { files: MAKEFILE }],
  ['make test', ['sh: ./run-tests --fast'], { files: MAKEFILE }],
  ['make x.o', ['sh: cc -c x.c -o x.o'], { files: MAKEFILE }],
  ['make sub', ['sh: make -C sub all'], { files: MAKEFILE }],
  ['make -n sub', ['sh: make -n -C sub all'], { files: MAKEFILE }],
  ['make', []],
  ['make -C /tmp/x', ['exec /tmp/x/Makefile', 'exec-unknown make']],
  ['make -f /home/dev/m.mk', ['exec /home/dev/m.mk', 'exec-unknown make']],
  ['make -C sub', ['exec sub/Makefile']],
  ["make --eval='$(shell rm x)'", ['sh: rm x']],
  ['make -f - x', ['sh: rm -rf ~'], { stdin: 'x:\n\trm -rf ~\n' }],
  ['make -f -', ['exec-remote make'], { stdin: { value: null, taints: ['network'] } }],
  ['make SHELL=/tmp/evil', ['exec /tmp/evil', 'env-inject SHELL']],
  ['make SHELL=/bin/bash', ['exec /bin/bash']],
  [
    'make',
    ['sh: git rev-parse HEAD', 'sh: echo $(git rev-parse HEAD)  ${$(wildcard *.c)}'],
    { files: { Makefile: 'X := $(shell git rev-parse HEAD)\nall:\n\techo $(X) $(UNSET) $(wildcard *.c)\n' } },
  ],
  [
    'just build',
    ['sh: rm -rf dist', 'sh: tsc --outDir dist ${mode}'],
    {
      files: {
        justfile: "out := 'dist'\n\nbuild: clean\n    @tsc --outDir {{out}} {{mode}}\n\nclean:\n    rm -rf {{out}}\n",
      },
    },
  ],
  ['just', ['sh: rm x'], { files: { justfile: 'a:\n    rm x\n' } }],
  ['just --list', []],
  [
    'task build',
    ['sh: rm y', 'sh: rm -rf ${.OUT}'],
    {
      files: {
        'Taskfile.yml':
          'version: 3\ntasks:\n  build:\n    cmds:\n      - rm -rf {{.OUT}}\n      - task: other\n  other: rm y\n',
      },
    },
  ],
  ['task other', ['sh: rm y'], { files: { 'Taskfile.yml': 'tasks:\n  other: rm y\n' } }],
];

runTable('make', makes, MAKES);
