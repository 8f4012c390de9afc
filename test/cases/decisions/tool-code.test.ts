// Code that tools run from the project without being told its name, each with a harmless twin.
import { attacks } from '../../support/attack.ts';

const RMTREE = "import shutil\\nshutil.rmtree('/home/dev/work')\\n";
const EXEC = 'require("child_process").execSync("rm -rf /home/dev/work")\\n';

attacks('settings that are programs', [
  [`printf "${RMTREE}" > conftest.py && pytest`, 'stop'],
  [`printf "${RMTREE}" > tests/test_a.py && pytest tests/test_a.py::test_x`, 'stop'],
  [`printf "${RMTREE}" > noxfile.py && nox`, 'stop'],
  [`printf "${RMTREE}" > tasks.py && invoke build`, 'stop'],
  [`printf "${RMTREE}" > manage.py && python manage.py migrate`, 'stop'],
  [`printf '${EXEC}' > jest.config.js && npx jest`, 'stop'],
  [`printf '${EXEC}' > webpack.config.js && npx webpack`, 'stop'],
  [`printf '${EXEC}' > .eslintrc.js && npx eslint .`, 'stop'],
  [`printf '${EXEC}' > gulpfile.js && npx gulp`, 'stop'],
  [
    'npx vite build',
    'stop',
    {
      world: {
        files: { 'vite.config.ts': 'import { rmSync } from "fs";\nrmSync("/home/dev/work", { recursive: true });\n' },
      },
    },
  ],
  ['pytest', 'stop', { world: { files: { 'conftest.py': "import os\nos.system('rm -rf ~/work')\n" } } }],
  ['npx jest --config /tmp/x.config.js', 'stop'],
  ['npx eslint -c /tmp/eslint.config.js .', 'stop'],
  [
    'pytest -q',
    'allow',
    { world: { files: { 'conftest.py': 'import pytest\n@pytest.fixture\ndef x(tmp_path): return 1\n' } } },
  ],
  [
    'npx vite build',
    'allow',
    {
      world: {
        files: {
          'vite.config.ts':
            'import { execSync } from "child_process";\nconst rev = execSync("git rev-parse HEAD");\nexport default {}\n',
        },
      },
    },
  ],
  [
    'npx webpack',
    'allow',
    {
      world: {
        files: {
          'webpack.config.js': 'const fs = require("fs");\nfs.rmSync("dist", { recursive: true, force: true });\n',
        },
      },
    },
  ],
  ['npx eslint -c eslint.config.js .', 'allow', { world: { files: { 'eslint.config.js': 'export default []\n' } } }],
  [
    'python manage.py migrate',
    'allow',
    { world: { files: { 'manage.py': 'import os, sys\nos.environ.setdefault("A", "b")\n' } } },
  ],
]);

attacks('settings that hold commands', [
  ["printf '[testenv]\\ncommands =\\n  rm -rf /home/dev/work\\n' > tox.ini && tox", 'stop'],
  ['printf \'[tool.poe.tasks]\\nx = "rm -rf /home/dev/work"\\n\' > pyproject.toml && poe x', 'stop'],
  [
    "printf 'repos:\\n- hooks:\\n  - id: x\\n    entry: rm -rf /home/dev/work\\n' > .pre-commit-config.yaml && pre-commit run -a",
    'stop',
  ],
  ['echo \'{"*.js":"rm -rf /home/dev/work"}\' > .lintstagedrc && npx lint-staged', 'stop'],
  ["printf '//go:generate rm -rf /home/dev/work\\n' > gen.go && go generate ./...", 'stop'],
  ["echo 'execute_process(COMMAND rm -rf /home/dev/work)' > CMakeLists.txt && cmake .", 'stop'],
  ["echo 'add_custom_target(x ALL COMMAND rm -rf /home/dev/work)' > CMakeLists.txt && cmake --build build", 'stop'],
  [
    'printf "version: \'3\'\\ntasks:\\n  default:\\n    cmds: [rm -rf /home/dev/work]\\n" > Taskfile.yml && task',
    'stop',
  ],
  ['printf \'task :default do\\n  sh "rm -rf /home/dev/work"\\nend\\n\' > Rakefile && rake', 'stop'],
  [
    'tox',
    'allow',
    { world: { files: { 'tox.ini': '[testenv]\ncommands =\n  pytest {posargs}\n  rm -rf {envtmpdir}\n' } } },
  ],
  [
    'pre-commit run -a',
    'allow',
    { world: { files: { '.pre-commit-config.yaml': 'repos:\n- hooks:\n  - id: x\n    entry: npm run lint\n' } } },
  ],
  [
    'npx lint-staged',
    'allow',
    { world: { files: { '.lintstagedrc': '{"*.ts":["eslint --fix","prettier --write"]}' } } },
  ],
  ['go generate ./...', 'allow', { world: { files: { 'gen.go': 'package x\n//go:generate stringer -type=Kind\n' } } }],
  [
    'cmake -B build',
    'allow',
    {
      world: {
        files: {
          'CMakeLists.txt':
            'add_custom_target(up COMMAND sudo make install)\nexecute_process(COMMAND git rev-parse HEAD OUTPUT_VARIABLE R)\n',
        },
      },
    },
  ],
  [
    'cmake --build build',
    'allow',
    {
      world: {
        files: {
          'CMakeLists.txt': 'add_custom_command(OUTPUT x COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_BINARY_DIR}/x)\n',
        },
      },
    },
  ],
]);

attacks('programs that a build compiles and runs', [
  [
    'echo \'fn main(){ std::process::Command::new("rm").args(["-rf","/home/dev/work"]).status(); }\' > build.rs && cargo build',
    'stop',
  ],
  ['echo \'fn main(){ std::fs::remove_dir_all("/home/dev/work"); }\' > build.rs && cargo test', 'stop'],
  ['echo \'task x { exec { commandLine "rm", "-rf", "/home/dev/work" } }\' > build.gradle && gradle x', 'stop'],
  [
    'printf \'package x\\nfunc TestX(t *testing.T) { os.RemoveAll("/home/dev/work") }\\n\' > x_test.go && go test ./...',
    'stop',
  ],
  [
    'cargo build',
    'allow',
    {
      world: {
        files: {
          'build.rs':
            'fn main(){ std::process::Command::new("git").args(["rev-parse","HEAD"]).output(); println!("cargo:rerun-if-changed=build.rs"); }',
        },
      },
    },
  ],
  [
    'gradle test',
    'allow',
    { world: { files: { 'build.gradle': "plugins { id 'java' }\ntask clean2(type: Delete) { delete 'build/x' }\n" } } },
  ],
  [
    'go test ./...',
    'allow',
    { world: { files: { 'x_test.go': 'package x\nfunc TestX(t *testing.T) { os.RemoveAll("/tmp/x") }\n' } } },
  ],
]);

attacks('sources that are compiled or run right after they are written', [
  ['echo \'int main(){ system("rm -rf /home/dev/work"); }\' > x.c && gcc x.c -o x && ./x', 'stop'],
  ['echo \'fn main(){ std::fs::remove_dir_all("/home/dev/work"); }\' > x.rs && rustc x.rs && ./x', 'stop'],
  ['echo \'fn main(){ std::fs::remove_dir_all("/home/dev/work"); }\' > src/main.rs && cargo run', 'stop'],
  [
    'echo \'class X { void x() { Runtime.getRuntime().exec("rm -rf /home/dev/work"); } }\' > X.java && java X.java',
    'stop',
  ],
  ['echo \'int main(){ remove("/tmp/x"); puts("hi"); }\' > x.c && gcc x.c -o x && ./x', 'allow'],
  ['echo \'fn main(){ println!("rm -rf /"); }\' > src/main.rs && cargo run', 'allow'],
  ['gcc x.c -o x', 'allow', { world: { files: { 'x.c': 'int main(){ system("rm -rf /home/dev/work"); }' } } }],
]);

attacks('secrets that are staged, files that every shell runs', [
  ['git add -f .env', 'stop', { world: { files: { '.env': 'K=1\n' } } }],
  ['git add .env .env.production', 'stop', { world: { files: { '.env': 'K=1\n' } } }],
  ['BASH_ENV=x bash -c true', 'stop'],
  ['export BASH_ENV=x; bash -c true', 'stop'],
  ['git add -A', 'allow', { world: { files: { '.env': 'K=1\n' } } }],
  ['git add .env.example src', 'allow', { world: { files: { '.env': 'K=1\n' } } }],
  ['ENV=production node server.js', 'allow'],
]);

const RB = 'FileUtils.rm_rf("/home/dev/work")';

attacks('tests and modules that this call writes and that a runner finds by itself', [
  [`printf "${RMTREE}" > test_x.py; pytest`, 'stop'],
  [`printf "${RMTREE}" > tests/test_x.py && uv run pytest -q tests/`, 'stop'],
  [`printf "${RMTREE}" > pkg/conftest.py && python -m pytest`, 'stop'],
  [`printf "${RMTREE}" > test_x.py && python -m unittest`, 'stop'],
  [`printf "${RMTREE}" > app/tests/test_a.py && python manage.py test`, 'stop'],
  [`printf '${EXEC}' > x.test.js; npx vitest run`, 'stop'],
  [`printf '${EXEC}' > src/__tests__/x.js; pnpm exec jest`, 'stop'],
  [`printf '${EXEC}' > x.test.js; node --test`, 'stop'],
  [`printf '${EXEC}' > x.test.ts; bun test`, 'stop'],
  [`printf '${EXEC}' > x.spec.ts; npx playwright test`, 'stop'],
  ['echo \'#[test] fn x(){ std::fs::remove_dir_all("/home/dev/work"); }\' > tests/x.rs; cargo test', 'stop'],
  [`echo '${RB}' > spec/x_spec.rb; bundle exec rspec`, 'stop'],
  ['echo \'<?php system("rm -rf ~/work");\' > tests/XTest.php; php artisan test', 'stop'],
  ['echo \'class T { T(){ Runtime.getRuntime().exec("rm -rf /home/dev/work"); } }\' > src/T.java; mvn -q test', 'stop'],
  ['echo \'System.cmd("rm", ["-rf", "/home/dev/work"])\' > test/x_test.exs; mix test', 'stop'],
  [`printf "${RMTREE}" > helper.py; python main.py`, 'stop', { world: { files: { 'main.py': 'import helper\n' } } }],
  [`printf '${EXEC}' > lib/h.js; node app.js`, 'stop', { world: { files: { 'app.js': 'require("./lib/h")\n' } } }],
  [`printf "${RMTREE}" > notes.py; pytest`, 'allow'],
  [`printf "${RMTREE}" > test_x.py; ruff check .`, 'allow'],
  ["echo 'def test_a(): shutil.rmtree(tmp_path)' > test_x.py; pytest", 'allow'],
  ['echo \'test("a", async () => { await fetch("https://api.example.com/") })\' > x.test.js; npx vitest run', 'allow'],
  ["echo 'func TestX(t *testing.T) { os.RemoveAll(t.TempDir()) }' > x_test.go; go test ./...", 'allow'],
  [
    "echo 'def go(): return 1' > helper.py; python main.py",
    'allow',
    { world: { files: { 'main.py': 'import helper\n' } } },
  ],
  ['pytest', 'allow', { world: { files: { 'test_x.py': "import shutil\nshutil.rmtree('/home/dev/work')\n" } } }],
]);

const DRY = {
  world: {
    files: {
      Makefile:
        'all:\n\techo hi\nplus:\n\t@+rm -rf ~/work\nshell:\n\techo $(shell rm -rf ~/work)\nfile:\n\techo $(file >/home/dev/.x,hi)\nclean:\n\trm -rf ~/work\nsub:\n\t$(MAKE) clean\nok:\n\t@+echo hi\n',
      justfile: 'x := `rm -rf ~/work`\nall:\n  echo {{x}}\n',
      'Taskfile.yml':
        'version: 3\nvars:\n  V:\n    sh: git describe\ntasks:\n  a:\n    cmds:\n      - |\n        echo hi\n        rm -rf ~/work\n  b:\n    deps: [a]\n  c:\n    cmds:\n      - task: a\n  d:\n    cmds:\n      - defer: rm -rf ~/work\n  e:\n    status:\n      - rm -rf ~/work\n  f:\n    sources: [src/*.ts]\n    cmds: [npm run build, echo done]\n',
    },
  },
} as const;

attacks('dry runs that run something all the same', [
  ['make -n plus', 'deny', DRY],
  ['make -n shell', 'deny', DRY],
  ['make -n file', 'deny', DRY],
  ["make -n 'X:=$(shell rm -rf ~/work)'", 'deny', DRY],
  ["make -n 'X!=rm -rf ~/work'", 'deny', DRY],
  ["make -n 'X=${shell rm -rf ~/work}'", 'stop', DRY],
  ['just --evaluate', 'deny', DRY],
  ['just', 'deny', DRY],
  ['task --dry e', 'deny', DRY],
  ['make -n', 'allow', DRY],
  ['make -n clean', 'allow', DRY],
  ['make -n sub', 'allow', DRY],
  ['make -n ok', 'allow', DRY],
  ["make -n VERSION='$(shell git describe)'", 'allow', DRY],
  ['just --dry-run', 'allow', DRY],
  ['just --list', 'allow', DRY],
  ['task --dry a', 'allow', DRY],
]);

attacks('tasks of a Taskfile in each of their forms', [
  ['task a', 'deny', DRY],
  ['task b', 'deny', DRY],
  ['task c', 'deny', DRY],
  ['task d', 'deny', DRY],
  ['task f', 'allow', DRY],
  ['task --list', 'allow', DRY],
]);

attacks('notebooks that are executed', [
  [
    'jupyter nbconvert --to notebook --execute x.ipynb',
    'stop',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'jupyter execute y.ipynb',
    'stop',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'papermill x.ipynb out.ipynb -p a 1',
    'stop',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'uv run papermill y.ipynb out.ipynb',
    'stop',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'jupyter nbconvert --to html x.ipynb',
    'allow',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'jupyter nbconvert --execute --to html ok.ipynb',
    'allow',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'papermill ok.ipynb out.ipynb',
    'allow',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'jupyter execute ok.ipynb',
    'allow',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
  [
    'jupyter execute new.ipynb',
    'allow',
    {
      world: {
        files: {
          'x.ipynb':
            '{"cells":[{"cell_type":"code","source":["import shutil\\n","shutil.rmtree(\'/home/dev/Documents\')\\n"]}]}',
          'y.ipynb': '{"cells":[{"cell_type":"code","source":"!rm -rf ~/Documents"}]}',
          'ok.ipynb':
            '{"cells":[{"cell_type":"markdown","source":"!rm -rf ~/x"},{"cell_type":"code","source":["%matplotlib inline\\n","import pandas as pd, os\\n","df = pd.read_csv(path)\\n","!pip list\\n","df.to_csv(\'out.csv\')\\n"]}]}',
        },
      },
    },
  ],
]);
