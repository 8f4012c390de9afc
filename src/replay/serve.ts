/**
 * The web viewer's server: read-only, for one person on this machine.
 *
 * SECURITY: bound to 127.0.0.1. The printed address holds a token that works once and is exchanged for a key, which the
 * page keeps in its storage and sends in a header with each question. No cookie: browsers send those to every port of a
 * host, so that whoever serves another one on this machine would get it. Without the key there are the page's own files,
 * which are the same for everybody. Requests whose Host is not ours (DNS rebinding), whose Origin is another, or that a browser says
 * come from another site are refused before anything is read. Nothing but GET and HEAD exists.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GovError, messageOf } from '../base/errors.ts';
import { answerApi } from './api.ts';
import { KEY_HEADER } from './link.ts';
import type { Source } from './source.ts';

export interface WebViewer {
  readonly port: number;
  /** An address that lets one browser in, once. Each call makes a new one and voids the one before. */
  invite(fragment?: string): string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Directory of `index.html`, `viewer.js`, `viewer.css`. */
  readonly assets: URL;
}

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/viewer.js': ['viewer.js', 'text/javascript; charset=utf-8'],
  '/viewer.css': ['viewer.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
};

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Cache-Control': 'no-store',
};

/** Starts to serve. Throws `usage-port` if the port is taken, `web-missing` if the viewer was not built. */
export async function serveViewer(source: Source, options: ServeOptions): Promise<WebViewer> {
  const files = new Map(
    Object.entries(FILES).map(([path, [file, type]]) => [path, { body: asset(options.assets, file), type }]),
  );
  const key = randomBytes(32).toString('base64url');
  let invitation: string | null = null;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const port = (server.address() as AddressInfo).port;
    const refusal = refusalOf(request, port);
    if (refusal !== null) return send(response, refusal, 'text/plain; charset=utf-8', 'refused\n');
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`);
    const token = url.searchParams.get('token');
    if (url.pathname === '/' && token !== null) {
      const invited = invitation !== null && same(token, invitation);
      if (invited) invitation = null;
      // Who is in already keeps its key: without a new one the page goes on with that, or says that it has none.
      response.setHeader('Location', invited ? `/?key=${key}` : '/');
      return send(response, 303, 'text/plain; charset=utf-8', '');
    }
    const file = files.get(url.pathname);
    if (file !== undefined) return send(response, 200, file.type, file.body);
    if (!url.pathname.startsWith('/api/')) return send(response, 404, 'text/plain; charset=utf-8', 'not found\n');
    if (!same(String(request.headers[KEY_HEADER] ?? ''), key))
      return send(response, 403, 'application/json; charset=utf-8', JSON.stringify({ error: USED }));
    const { status, body } = answerApi(source, url.pathname.slice(5), url.searchParams);
    send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
  };

  const server: Server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000 }, (request, response) => {
    try {
      handle(request, response);
    } catch (error) {
      const message = error instanceof GovError ? error.message : `internal error: ${messageOf(error)}`;
      if (!response.headersSent)
        send(response, 500, 'application/json; charset=utf-8', JSON.stringify({ error: message }));
      else response.destroy();
    }
  });
  await listening(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    invite(fragment = '') {
      invitation = randomBytes(32).toString('base64url');
      return `http://127.0.0.1:${port}/?token=${invitation}${fragment}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const USED =
  'This address does not let you in (any more): it works once. Press enter where `gov replay --web` runs to get a new one.';

/** The status with which a request is refused, whoever sends it; null: it may go on. */
function refusalOf(request: IncomingMessage, port: number): number | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return 405;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 403;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' ? null : 403;
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  // What Node does for HEAD: headers only.
  response.end(body);
}

function same(given: string, secret: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(secret);
  return a.length === b.length && timingSafeEqual(a, b);
}

function asset(dir: URL, file: string): Buffer {
  try {
    return readFileSync(new URL(file, dir));
  } catch (cause) {
    throw new GovError({
      code: 'web-missing',
      message: 'the web viewer was not built',
      help: 'run `npm run build`',
      cause,
    });
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE' || cause.code === 'EACCES';
      reject(
        taken
          ? new GovError({
              code: 'usage-port',
              message: `port ${port} can't be used: ${cause.code === 'EACCES' ? 'not allowed' : 'something listens there'}`,
              help: 'leave --port out to get a free one',
              cause,
            })
          : cause,
      );
    });
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
