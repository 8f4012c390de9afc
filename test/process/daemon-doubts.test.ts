import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALLER_ENV } from '../../src/hook/caller.ts';
import { hook, makeWarmPlace, removeWarmPlace, type WarmPlace } from './daemon-place.ts';
import { bash, type HookRun, ROOT, records } from './place.ts';

const BUILD = readFileSync(join(ROOT, 'dist', 'build-id'), 'utf8').trim();

/** The installation as it is where the build found no C compiler. */
const scratch = mkdtempSync(join(tmpdir(), 'gov-perl-'));
beforeAll(() => {
  cpSync(join(ROOT, 'hooks'), join(scratch, 'hooks'), { recursive: true });
  mkdirSync(join(scratch, 'dist'));
  for (const name of readdirSync(join(ROOT, 'dist')))
    if (name !== 'ask-daemon') symlinkSync(join(ROOT, 'dist', name), join(scratch, 'dist', name));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Both clients are to have the same doubts. Where there is no compiler, there is one of them. */
const CLIENTS: readonly (readonly [string, string])[] = [
  ...(existsSync(join(ROOT, 'dist', 'ask-daemon')) ? [['compiled', ROOT] as const] : []),
  ['Perl', scratch],
];

let place: WarmPlace;
let fake: Server | null = null;
const connections = new Set<Socket>();

beforeEach(() => {
  place = makeWarmPlace();
  mkdirSync(place.daemonDir, { recursive: true, mode: 0o700 });
  chmodSync(join(place.govHome, 'state'), 0o700);
  // Keeps the hook from starting a daemon of its own.
  writeFileSync(join(place.daemonDir, 'started'), '');
});
afterEach(async () => {
  for (const connection of connections) connection.destroy();
  connections.clear();
  fake?.close();
  fake = null;
  await removeWarmPlace(place);
});

/** A daemon that says whatever a test wants; `id` is that of the question. */
function pretend(say: (id: string) => string | null, mode = 0o600): Promise<void> {
  fake = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    connection.on('data', (chunk) => {
      const id = chunk.toString('latin1').split('\0')[2] ?? '';
      const text = say(id);
      if (text !== null) connection.end(text);
    });
  });
  return new Promise((resolve) =>
    fake?.listen(place.socket, () => {
      chmodSync(place.socket, mode);
      resolve();
    }),
  );
}

const yes = (id: string, build = BUILD): string => `gov-answer 1 ${build} ${id} 0 0 0\n\ndone ${id}\n`;

/** A call that is denied: whoever lets it pass did not judge it. */
const DENIED = 'rm -rf ~/other';

async function expectColdAnswer(root: string): Promise<void> {
  const run = await ask(root, bash(place, DENIED));
  expect(run.stderr).toContain('denied by filesystem/');
  expect(run.exitCode).toBe(2);
  expect(records(place).map((record) => record.answer)).toEqual(['deny']);
}

function ask(root: string, stdin: string | Buffer, env = place.env): Promise<HookRun> {
  return hook(place, stdin, { launcher: join(root, 'hooks', 'pre-tool-use'), env });
}

describe.each(CLIENTS)('%s client', (_name, root) => {
  describe('an answer that is not whole, of this build, and to this question is none', () => {
    test.each<[string, (id: string) => string | null]>([
      ['nothing', () => ''],
      ['the head alone', (id) => yes(id).slice(0, yes(id).indexOf('\n') + 1)],
      ['all but the last byte', (id) => yes(id).slice(0, -1)],
      ['a byte too many', (id) => `${yes(id)} `],
      ['two answers', (id) => yes(id) + yes(id)],
      ['another build', (id) => yes(id, '0123456789abcdef')],
      ['another version of the protocol', (id) => yes(id).replace('gov-answer 1', 'gov-answer 2')],
      ['the answer to another question', () => yes('1m8pwcx8pq5kf4t33jja')],
      ['another end', (id) => yes(id).replace(`done ${id}`, 'done 1m8pwcx8pq5kf4t33jja')],
      ['an exit code that agents take for allow', (id) => yes(id).replace(' 0 0 0\n', ' 1 0 0\n')],
      ['lengths that do not fit', (id) => yes(id).replace(' 0 0 0\n', ' 0 5 0\n')],
      ['a length below zero', (id) => yes(id).replace(' 0 0 0\n', ' 0 -1 1\n')],
      ['words', () => 'HTTP/1.1 200 OK\r\n\r\nallow'],
      ['bytes', () => '\0\0\0\0\xff\xfe'],
      ['a refusal', (id) => `gov-refusal 1 ${BUILD} ${id} fault\n`],
      ['a refusal of its build', (id) => `gov-refusal 1 0123456789abcdef ${id} build\n`],
      ['silence', () => null],
    ])('%s', async (_, say) => {
      await pretend(say);
      await expectColdAnswer(root);
    });
  });

  test('the answer that all these are made from is one', async () => {
    await pretend((id) => yes(id));
    expect(await ask(root, bash(place, DENIED))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  describe('what lies where the socket should be', () => {
    test.each<[string, () => void | Promise<void>]>([
      ['a file', () => writeFileSync(place.socket, yes('x'), { mode: 0o600 })],
      ['a directory', () => mkdirSync(place.socket)],
      ['a link to nowhere', () => symlinkSync('nowhere', place.socket)],
      ['a socket that others may write to', () => pretend((id) => yes(id), 0o666)],
      [
        'a link to a socket',
        async () => {
          await pretend((id) => yes(id));
          const { renameSync } = await import('node:fs');
          renameSync(place.socket, `${place.socket}.real`);
          symlinkSync(`${place.socket}.real`, place.socket);
        },
      ],
      [
        'a socket in a directory that others may read',
        async () => {
          await pretend((id) => yes(id));
          chmodSync(place.daemonDir, 0o755);
        },
      ],
      [
        'a socket that nobody listens to',
        async () => {
          await pretend((id) => yes(id));
          const { linkSync } = await import('node:fs');
          linkSync(place.socket, `${place.socket}.kept`);
          await new Promise((resolve) => fake?.close(resolve));
          linkSync(`${place.socket}.kept`, place.socket);
        },
      ],
    ])('%s', async (_, put) => {
      await put();
      await expectColdAnswer(root);
    });
  });

  describe('payloads that the daemon is not asked about', () => {
    const said = async (stdin: string | Buffer) => {
      await pretend((id) => yes(id));
      return ask(root, stdin);
    };

    test('a large one reaches the hook whole', async () => {
      const filler = `echo ${'x'.repeat(300_000)}; ${DENIED}`;
      expect(await said(bash(place, filler))).toMatchObject({ exitCode: 2 });
      expect(records(place)).toHaveLength(1);
    });

    test('one that is far too large is refused as ever', async () => {
      const run = await said(Buffer.alloc(50 * 1024 * 1024, ' '));
      expect(run.stderr).toContain('larger than');
      expect(run.exitCode).toBe(2);
    });

    test('where the environment says off', async () => {
      await pretend((id) => yes(id));
      expect(await ask(root, bash(place, DENIED), place.cold)).toMatchObject({ exitCode: 2 });
    });
  });

  test('one that was silent is not waited for again for a while', async () => {
    await pretend(() => null);
    await expectColdAnswer(root);
    const started = performance.now();
    expect(await ask(root, bash(place, DENIED))).toMatchObject({ exitCode: 2 });
    expect(performance.now() - started).toBeLessThan(1800);
    const past = Date.now() / 1000 - 60;
    utimesSync(join(place.daemonDir, 'hung'), past, past);
    for (const connection of connections) connection.destroy();
    await new Promise((resolve) => fake?.close(resolve));
    rmSync(place.socket, { force: true });
    await pretend((id) => yes(id));
    expect(await ask(root, bash(place, DENIED))).toMatchObject({ exitCode: 0 });
  });

  test('an agent that stops reading has no half of an answer', async () => {
    const long = 'x'.repeat(1_000_000);
    await pretend((id) => `gov-answer 1 ${BUILD} ${id} 0 ${long.length} 0\n${long}\ndone ${id}\n`);
    const agent = spawn(join(root, 'hooks', 'pre-tool-use'), ['claude-code'], { cwd: place.workspace, env: place.env });
    agent.stdout.once('data', () => agent.stdout.destroy());
    agent.stdin.end(bash(place, 'ls'));
    expect(await new Promise((resolve) => agent.on('exit', resolve))).toBe(2);
  });

  test('an agent that does not read a long answer has no half of it', { timeout: 30_000 }, async () => {
    const long = 'x'.repeat(1_000_000);
    await pretend((id) => `gov-answer 1 ${BUILD} ${id} 0 ${long.length} 0\n${long}\ndone ${id}\n`);
    const child = spawn(join(root, 'hooks', 'pre-tool-use'), ['claude-code'], { cwd: place.workspace, env: place.env });
    child.stdin.end(bash(place, 'ls'));
    child.stdout.pause();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(2);
    child.stdout.destroy();
  });
});

test('a client that breaks blocks', async () => {
  const copy = join(place.root, 'copy');
  for (const part of ['hooks', 'dist']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  const compiled = join(copy, 'dist', 'ask-daemon');
  await pretend((id) => yes(id));
  const expectBlocked = async (text: string) => {
    const run = await ask(copy, bash(place, 'ls'));
    expect(run.stderr, text).toContain("the daemon's client ended with status");
    expect(run.exitCode, text).toBe(2);
  };
  for (const text of ['exit 0', 'exit 2', 'exit 1', 'kill -9 $$']) {
    rmSync(compiled, { force: true });
    writeFileSync(compiled, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    await expectBlocked(text);
  }
  rmSync(compiled);
  for (const text of ['', 'exit 0;', 'exit 2;', 'this is no program (', 'kill 9, $$;']) {
    writeFileSync(join(copy, 'hooks', 'ask-daemon.pl'), text);
    await expectBlocked(text);
  }
});

test('where the compiled client cannot run, Perl asks', async () => {
  const copy = join(place.root, 'copy');
  for (const part of ['hooks', 'dist']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  const compiled = join(copy, 'dist', 'ask-daemon');
  rmSync(compiled, { force: true });
  writeFileSync(compiled, '#!/nowhere/interpreter\n', { mode: 0o755 });
  await pretend((id) => yes(id));
  expect(await ask(copy, bash(place, DENIED))).toMatchObject({ exitCode: 0, stdout: '' });
});

test('modules from the environment are not loaded into the client', async () => {
  await pretend((id) => yes(id));
  writeFileSync(join(place.root, 'Evil.pm'), 'print "evil"; exit 10; 1;');
  const env = { ...place.env, PERL5LIB: place.root, PERL5OPT: '-MEvil' };
  expect(await ask(scratch, bash(place, 'ls'), env)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test.each([
  ['ask-daemon.pl', /qw\(([^)]*)\)/],
  ['ask-daemon.c', /NAMES\[\] = \{([^}]*)\}/],
])('%s sends the variables that decisions depend on', (file, list) => {
  const text = readFileSync(join(ROOT, 'hooks', file), 'utf8');
  expect(list.exec(text)?.[1]?.match(/\w+/g)).toEqual(CALLER_ENV);
});
