import { option, type Row } from './model.ts';
import { connect } from './notes.ts';
import type { Model } from './scan.ts';
import { literal, text, unknown } from './thing.ts';

const BODY = ['data', 'json', 'files', 'content', 'body', 'form'] as const;

/** Calls named after HTTP methods in client libraries: `requests.post(url, data=…)`, `axios.get(url)`. */
export function httpMethods(prefixes: readonly string[]): readonly Row[] {
  const names = prefixes.flatMap((p) =>
    ['get', 'head', 'options', 'delete', 'post', 'put', 'patch'].map((m) => `${p}.${m}`),
  );
  return [
    [names.join(' '), httpCall],
    [
      prefixes.map((p) => `${p}.request`).join(' '),
      (c, scan) => httpCall({ ...c, name: `.${literal(c.args[0]) ?? 'request'}`, args: c.args.slice(1) }, scan),
    ],
  ];
}

const httpCall: Model = (c, scan) => {
  const method = c.name.slice(c.name.lastIndexOf('.') + 1).toUpperCase();
  const carries = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const bodies = BODY.map((b) => option(c, b));
  const data = carries ? [c.args[1], ...bodies, text('body')] : bodies;
  return connect(scan, c.args[0] ?? c.named.get('url'), data, { method });
};

/** A method of an unknown client whose first argument is plainly a URL. */
export const urlMethod: Model = (c, scan) => {
  const url = literal(c.args[0]);
  return url !== null && /^(?:https?|ftp|wss?):\/\//.test(url) ? httpCall(c, scan) : undefined;
};

/** `socket.connect((host, port))`. */
export const connectMethod: Model = (c, scan) => {
  const pair = c.args[0]?.k === 'list' ? c.args[0].items : null;
  if (pair?.length !== 2) return undefined;
  const port = Number(literal(pair[1]) ?? Number.NaN);
  return connect(scan, pair[0], [unknown([], true)], { scheme: 'tcp', ...(Number.isInteger(port) ? { port } : {}) });
};
