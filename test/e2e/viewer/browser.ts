import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const BIN = resolve(import.meta.dirname, '../../../bin/run.js');

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chosen = process.env['GOV_CHROMIUM'];

/** A Chromium of this machine, or that which `GOV_CHROMIUM` names; null if there is none. */
export const CHROMIUM: string | null = (chosen ? [chosen] : PLACES).find((path) => existsSync(path)) ?? null;

/** A directory that is as fast as the machine has one: the stores of these tests need not survive a power cut. */
export function scratch(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'gov-viewer-'));
}

export function launch(): Promise<Browser> {
  // Root has no sandbox of its own in a container; what is loaded is our own page.
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

export interface Served {
  /** A new address that lets one browser in. */
  invite(): Promise<string>;
  stop(): Promise<void>;
}

/** `gov replay --web` on a store. */
export async function serve(govHome: string, session?: string): Promise<Served> {
  const env = { PATH: process.env['PATH'], HOME: govHome, GOV_HOME: govHome };
  const child: ChildProcess = spawn(
    process.execPath,
    [BIN, 'replay', ...(session === undefined ? [] : [session]), '--web'],
    {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const line = (): Promise<string> =>
    new Promise((done, fail) => {
      const ended = (code: number | null): void => fail(new Error(`gov replay --web ended with ${code}`));
      child.once('exit', ended);
      child.stdout?.once('data', (data: Buffer) => {
        child.off('exit', ended);
        done(String(data).trim());
      });
    });
  let first: string | null = await line();
  return {
    async invite() {
      if (first !== null) {
        const address = first;
        first = null;
        return address;
      }
      const next = line();
      child.stdin?.write('\n');
      return next;
    },
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done());
        child.kill('SIGTERM');
      }),
  };
}

export interface Opened {
  readonly page: Page;
  /** What went wrong in the page: errors, refusals by its security policy. */
  readonly faults: readonly string[];
}

/** A browser of its own, let in, with the first steps in view. */
export async function open(
  browser: Browser,
  served: Served,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  const address = await served.invite();
  await page.goto(hash === '' ? address : address.replace(/#.*$/, '') + hash);
  await page.waitForSelector('[role=option]');
  return { page, faults };
}
