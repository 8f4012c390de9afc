import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { govPaths } from '../../../src/base/gov-paths.ts';
import { serveViewer, type WebViewer } from '../../../src/replay/serve.ts';
import { openSource, type Source } from '../../../src/replay/source.ts';
import { fillStore } from './place.ts';

let root: string;
let source: Source;
let viewer: WebViewer;
let assets: URL;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'gov-web-'));
  const paths = govPaths({ GOV_HOME: root, HOME: root });
  fillStore(paths);
  source = openSource(paths.database);
  mkdirSync(join(root, 'web'));
  for (const file of ['index.html', 'viewer.js', 'viewer.css', 'icon.svg'])
    writeFileSync(join(root, 'web', file), `<${file}>`);
  assets = pathToFileURL(`${join(root, 'web')}/`);
  viewer = await serveViewer(source, { port: 0, assets });
});
afterAll(async () => {
  await viewer.close();
  source.close();
  rmSync(root, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: viewer.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject).end();
  });
}

const pathOf = (address: string): string => address.slice(address.indexOf('/', 8));

async function newKey(): Promise<string> {
  const answer = await get(pathOf(viewer.invite()));
  return /^\/\?key=([\w-]{43})$/.exec(answer.headers.location ?? '')?.[1] ?? '';
}

test('an address lets in once, by a key that no other port of this host gets to see', async () => {
  const address = viewer.invite('#session=x');
  expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${viewer.port}/\\?token=[\\w-]{43}#session=x$`));
  const first = await get(pathOf(address).replace(/#.*/, ''));
  expect(first.status).toBe(303);
  expect(first.headers.location).toMatch(/^\/\?key=[\w-]{43}$/);
  expect(first.headers['set-cookie']).toBeUndefined();
  const again = await get(pathOf(address));
  expect([again.status, again.headers.location]).toEqual([303, '/']);
});

test('a new address voids the one before', async () => {
  const old = viewer.invite();
  viewer.invite();
  expect((await get(pathOf(old))).headers.location).toBe('/');
});

describe('who is refused, and with what', () => {
  test.each<[string, string, Readonly<Record<string, string>>, string, number]>([
    ['without a key', '/api/sessions', {}, 'GET', 403],
    ['with a wrong key', '/api/raw?seq=1', { 'x-gov-key': 'nonsense' }, 'GET', 403],
    ['with a key in a cookie', '/api/sessions', { cookie: 'x-gov-key=OWN' }, 'GET', 403],
    ['without a key: the page, which is the same for everybody', '/', {}, 'GET', 200],
    ['by another name (DNS rebinding)', '/', { host: 'evil.example:PORT', 'x-gov-key': 'OWN' }, 'GET', 403],
    ['by another port', '/', { host: '127.0.0.1:1', 'x-gov-key': 'OWN' }, 'GET', 403],
    ['from another page', '/api/sessions', { origin: 'http://evil.example', 'x-gov-key': 'OWN' }, 'GET', 403],
    ['from a page of another port', '/api/sessions', { origin: 'http://127.0.0.1:1', 'x-gov-key': 'OWN' }, 'GET', 403],
    ['from a page without origin', '/api/sessions', { origin: 'null', 'x-gov-key': 'OWN' }, 'GET', 403],
    [
      'from another site, the browser says',
      '/api/sessions',
      { 'sec-fetch-site': 'cross-site', 'x-gov-key': 'OWN' },
      'GET',
      403,
    ],
    [
      'from another port, the browser says',
      '/api/sessions',
      { 'sec-fetch-site': 'same-site', 'x-gov-key': 'OWN' },
      'GET',
      403,
    ],
    ['writing', '/api/sessions', { 'x-gov-key': 'OWN' }, 'POST', 405],
    ['deleting', '/', { 'x-gov-key': 'OWN' }, 'DELETE', 405],
    ['asking for other methods', '/', { 'x-gov-key': 'OWN' }, 'OPTIONS', 405],
    ['a file that is not there', '/etc/passwd', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['a path that climbs', '/../../etc/passwd', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['an encoded one', '/%2e%2e/%2e%2e/etc/passwd', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['a question that does not exist', '/api/constructor', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['a record that does not exist', '/api/story?seq=999', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['a record that is no number', '/api/story?seq=x', { 'x-gov-key': 'OWN' }, 'GET', 404],
    ['the person', '/', { 'x-gov-key': 'OWN' }, 'GET', 200],
    ['the person, by its other name', '/', { host: 'localhost:PORT', 'x-gov-key': 'OWN' }, 'GET', 200],
    [
      'its own page',
      '/api/sessions',
      { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin', 'x-gov-key': 'OWN' },
      'GET',
      200,
    ],
    ['the headers alone', '/', { 'x-gov-key': 'OWN' }, 'HEAD', 200],
  ])('%s', async (_name, path, headers, method, want) => {
    const own = await newKey();
    const real = Object.entries(headers).map(
      ([k, v]) => [k, v.replace('PORT', String(viewer.port)).replace('OWN', own)] as const,
    );
    expect((await get(path, Object.fromEntries(real), method)).status).toBe(want);
  });
});

test('every answer forbids the browser what it does not need', async () => {
  const own = await newKey();
  for (const path of ['/', '/viewer.js', '/viewer.css', '/icon.svg', '/api/sessions', '/nothing', '/?token=x']) {
    const { headers } = await get(path, path === '/?token=x' ? {} : { 'x-gov-key': own });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect([
      headers['x-content-type-options'],
      headers['referrer-policy'],
      headers['cache-control'],
      headers['cross-origin-resource-policy'],
    ]).toEqual(['nosniff', 'no-referrer', 'no-store', 'same-origin']);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('what the page asks for', async () => {
  const own = { 'x-gov-key': await newKey() };
  const json = async (path: string): Promise<unknown> => JSON.parse((await get(path, own)).text);
  expect(await json('/api/sessions')).toMatchObject({
    sessions: [{ id: 'alpha-1', records: 10, denied: 1, asked: 1 }],
    next: null,
    records: 10,
  });
  expect(await json('/api/rows?session=alpha-1&after=6&limit=2')).toMatchObject({
    rows: [
      { seq: 7, answer: 'deny' },
      { seq: 8, answer: 'ask' },
    ],
    whole: false,
  });
  expect(await json('/api/rows?session=alpha-1&after=8')).toMatchObject({
    rows: [{ seq: 9 }, { seq: 10 }],
    whole: true,
  });
  expect(await json('/api/rows?session=nobody')).toEqual({ rows: [], whole: true });
  expect(await json('/api/story?seq=7')).toMatchObject({ seq: 7, answer: 'deny', rule: 'git.force-push' });
  expect(await json('/api/raw?seq=7')).toMatchObject({ row: { seq: 7 }, body: { v: 1, kind: 'decision' } });
});

test('a port that is taken, and a viewer that was not built', async () => {
  await expect(serveViewer(source, { port: viewer.port, assets })).rejects.toMatchObject({ code: 'usage-port' });
  await expect(serveViewer(source, { port: 0, assets: new URL('nowhere/', assets) })).rejects.toMatchObject({
    code: 'web-missing',
  });
});
