import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';
import type { Asked } from './desk.ts';
import { fileAt, socketFile } from './place.ts';
import { answerBytes, MAX_META, MAX_PAYLOAD, type Question, readQuestion, refusalBytes } from './protocol.ts';

/** Connections at a time; further callers help themselves. Well below the files that a process may open. */
const MOST = 400;
/** Milliseconds within which a question has to be whole. */
const PATIENCE_MS = 5000;

export interface Listening {
  /** False once another file lies where the socket was. */
  isOurs(): boolean;
  /** Connections whose question is not whole yet. */
  coming(): number;
  /** Grows with each connection that comes in. */
  came(): number;
  /** No new connections; the rest is answered. */
  stop(): void;
}

/**
 * Listens for questions. The socket has its name only when it is ready, with mode 0600; an old one that nobody listens
 * to any more is replaced.
 */
export function listen(paths: GovPaths, build: string, take: (asked: Asked) => void): Promise<Listening> {
  const socket = socketFile(paths);
  let came = 0;
  let coming = 0;
  const server: Server = createServer((connection) => {
    came++;
    coming++;
    attend(connection, build, take, () => coming--);
  });
  server.maxConnections = MOST;
  // Not much longer than the name that it gets: see `fitsSocket`.
  const aside = join(paths.daemon, `s${process.pid}`);
  rmSync(aside, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: aside, backlog: 511 }, () => {
      chmodSync(aside, 0o600);
      const own = fileAt(aside);
      renameSync(aside, socket);
      resolve({
        isOurs: () => fileAt(socket) === own,
        coming: () => coming,
        came: () => came,
        stop: () => {
          if (fileAt(socket) === own) rmSync(socket, { force: true });
          server.close();
        },
      });
    });
  });
}

/** `settled` is called once: when the question is whole, or will never be. */
function attend(connection: Socket, build: string, take: (asked: Asked) => void, settled: () => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let asked = false;
  connection.on('close', () => asked || settled());
  connection.setTimeout(PATIENCE_MS, () => asked || connection.destroy());
  connection.on('error', () => connection.destroy());
  connection.on('data', (chunk) => {
    size += chunk.length;
    if (asked || size > MAX_META + MAX_PAYLOAD + 64) return void connection.destroy();
    chunks.push(chunk);
    const question = readQuestion(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    if (question === null) return;
    if (question === 'bad') return void connection.destroy();
    asked = true;
    settled();
    take(askedOn(connection, question, build));
  });
  // A client keeps its end open until it has its answer.
  connection.on('end', () => connection.destroy());
}

function askedOn(connection: Socket, question: Question, build: string): Asked {
  return {
    question,
    at: performance.now(),
    isOpen: () => !connection.destroyed,
    answer: (output) => void connection.end(answerBytes(build, question.id, output)),
    refuse: (why) => void connection.end(refusalBytes(build, question.id, why)),
  };
}
