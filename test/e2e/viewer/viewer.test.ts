import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { govPaths } from '../../../src/base/gov-paths.ts';
import { callOf, decisionOf, draftOf, hitOf } from '../../unit/audit/draft.ts';
import { fillStore, START } from '../../unit/replay/place.ts';
import { CHROMIUM, launch, open, type Served, scratch, serve } from './browser.ts';

if (CHROMIUM === null)
  console.warn('viewer: no Chromium here (set GOV_CHROMIUM to one): the browser tests are left out');

const MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
const MANY = 20_000;

describe.skipIf(CHROMIUM === null)('the web viewer', () => {
  let root: string;
  let browser: Browser;
  let served: Served;
  const paths = () => govPaths({ GOV_HOME: join(root, 'gov'), HOME: root });
  beforeAll(async () => {
    root = scratch();
    fillStore(paths());
    const writer = openWriter(paths());
    for (let i = 0; i < MANY; i++) {
      const call = callOf(`echo ${i}`, { session: 'many', callId: `toolu_m${i}` });
      const denied = i % 50 === 49;
      const decision = denied ? decisionOf('deny', [hitOf('fs.delete')]) : decisionOf('allow');
      writer.append(
        draftOf(`echo ${i}`, { call, at: START - 86_400_000 + i * 1000, decision, answer: decision.answer }),
      );
    }
    const markup = callOf(MARKUP, { session: MARKUP, callId: 'toolu_x', rawTool: MARKUP, cwd: MARKUP });
    const hit = hitOf('<b>rule</b>', 'ask', { message: MARKUP, subject: MARKUP });
    writer.append(
      draftOf(MARKUP, {
        call: markup,
        at: START - 1000,
        decision: { ...decisionOf('ask', [hit]), reason: MARKUP },
        answer: 'ask',
      }),
    );
    writer.close();
    browser = await launch();
    served = await serve(join(root, 'gov'), 'alpha-1');
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test('shows sessions, steps and a record, and nothing is refused by its own policy', async () => {
    const { page, faults } = await open(browser, served);
    expect(await page.locator('.session').count()).toBe(3);
    expect(await page.locator('.session[aria-current] .id').textContent()).toBe('alpha-1');
    expect(await page.locator('#session-facts').textContent()).toBe(
      '2026-01-05 09:00:00 UTC · 6 calls · 3 allowed · 1 asked · 1 denied · 1 watched',
    );
    expect(await page.locator('[role=option] .what').allTextContents()).toEqual([
      'SessionStart',
      'npm test',
      'src/cart.js',
      'echo \\x1b[2J\\x1b]0;owned\\x07 \\u202egpj.exe\\u202c a\\u200bb \\u{e0041}\\u{e0042} 価格 ✨ e\u0301\u0301\u0301\\u0301\\u0301',
      "ssh build@ci.example 'cd /srv && sudo rm -rf data' && git push --force",
      'terraform apply',
      'rm -rf build',
    ]);
    await page.locator('#step-4').click();
    await page.locator('.record h2', { hasText: 'git.force-push' }).waitFor();
    expect(await page.locator('.reason').textContent()).toBe('This call would rewrite the history of others.');
    expect(await page.locator('.rule .part').allTextContents()).toEqual([
      'decided',
      'fired too; another rule decided',
      'shadow: would have, is not in force',
      'lifted',
    ]);
    expect(await page.locator('.source .decided').allTextContents()).toEqual(['4git push --force']);
    expect(new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is worked by keys alone', async () => {
    const { page } = await open(browser, served, '#session=alpha-1');
    const place = (): Promise<string | null> => page.locator('#place').textContent();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('j', 'j');
    expect(await place()).toBe('3 / 7');
    await press(']');
    expect(await place()).toBe('5 / 7');
    await press('Shift+G');
    expect(await place()).toBe('7 / 7');
    await press('[', '[');
    expect(await place()).toBe('5 / 7');
    await press('g');
    expect(await place()).toBe('1 / 7');
    await press('/');
    await page.keyboard.type('deny ask');
    await page.waitForFunction(() => document.querySelector('#place')?.textContent === '1 / 2');
    await press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('steps');
    await press('End');
    expect(await place()).toBe('2 / 2');
    expect(await page.locator('#steps').getAttribute('aria-activedescendant')).toBe('step-1');
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('record');
    await press('?');
    expect(await page.locator('#help').evaluate((dialog) => (dialog as HTMLDialogElement).open)).toBe(true);
    await press('Escape');
    await press('d');
    await page.waitForFunction(() => document.querySelector('#place')?.textContent?.endsWith('/ 3'));
    expect(await page.locator('#only-held').getAttribute('aria-pressed')).toBe('true');
    await page.context().close();
  });

  test('the commands are a tree', async () => {
    const { page } = await open(browser, served, '#session=alpha-1&seq=7');
    const tree = page.getByRole('tree', { name: 'Commands' });
    await tree.waitFor();
    const items = tree.getByRole('treeitem');
    expect(
      await items.evaluateAll((all) =>
        all.map((item) => [item.getAttribute('aria-level'), item.querySelector('code')?.textContent]),
      ),
    ).toEqual([
      ['1', "ssh build@ci.example 'cd /srv && sudo rm -rf data'"],
      ['2', 'cd /srv'],
      ['2', 'rm -rf data'],
      ['1', 'git push --force'],
    ]);
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() => (document.activeElement as HTMLElement).dataset['command']);
    await items.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('3');
    expect(await page.locator('.source .lit').textContent()).toContain('rm -rf data');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('1');
    await page.keyboard.press('ArrowLeft');
    expect(await items.first().getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('4');
    expect(await page.locator('#place').textContent()).toBe('5 / 7');
    await page.context().close();
  });

  test('an address leads to a record, a session and a filter', async () => {
    const { page } = await open(browser, served, '#session=alpha-1&seq=8&filter=deny+ask');
    await page.locator('.record h2', { hasText: 'infra.apply' }).waitFor();
    expect([await page.locator('#place').textContent(), await page.locator('#filter').inputValue()]).toEqual([
      '2 / 2',
      'deny ask',
    ]);
    await page.locator('#step-0').click();
    await page.locator('.record h2', { hasText: 'git.force-push' }).waitFor();
    const link = page.url();
    expect(new URL(link).hash).toBe('#session=alpha-1&seq=7&filter=deny+ask');
    const other = await page.context().newPage();
    await other.goto(link);
    await other.locator('.record h2', { hasText: 'git.force-push' }).waitFor();
    await page.goto(`${new URL(link).origin}/#session=many&seq=250`);
    await page.locator('.record .when', { hasText: 'record 250 ' }).waitFor();
    await page.context().close();
  });

  test('plays, pauses, and stops at the end', async () => {
    const { page } = await open(browser, served, '#session=alpha-1');
    const cursor = (): Promise<number> => page.locator('#scrub').inputValue().then(Number);
    await page.locator('#speed').selectOption('4');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => Number((document.querySelector('#scrub') as HTMLInputElement).value) >= 2);
    expect(await page.locator('.step.faded').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    const at = await cursor();
    expect(at).toBeLessThan(6);
    await page.waitForTimeout(400);
    expect(await cursor()).toBe(at);
    await page.locator('#speed').selectOption('64');
    await page.getByRole('button', { name: 'Play' }).click();
    // Not the button first: it says `Play` for a moment after the click, too.
    await page.waitForFunction(() => Number((document.querySelector('#scrub') as HTMLInputElement).value) >= 6);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect([await cursor(), await page.locator('#clock').textContent()]).toEqual([6, '0:09.1 / 0:09.1']);
    await page.context().close();
  });

  test('nothing of a record becomes part of the page', async () => {
    const { page, faults } = await open(browser, served, `#session=${encodeURIComponent(MARKUP)}`);
    await page.locator('.reason', { hasText: MARKUP }).waitFor();
    await page.locator('summary').click();
    await page.locator('.raw pre').waitFor();
    expect(await page.locator('#step-0 .what').textContent()).toBe(MARKUP);
    expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined();
    expect(await page.locator('img, script:not([src="/viewer.js"]), .panes b:has-text("rule") b').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('twenty thousand records: few rows are in the page, and any place is reached at once', async () => {
    const { page } = await open(browser, served, '#session=many');
    await page.waitForFunction(
      (n) => document.querySelector('#place')?.textContent?.endsWith(n),
      MANY.toLocaleString('en'),
    );
    const most = await page.evaluate(async () => {
      const steps = document.querySelector('#steps') as HTMLElement;
      let rows = 0;
      for (let i = 0; i < 60; i++) {
        steps.scrollTop = i * 10_000;
        for (let frames = 0; frames < 2; frames++) await new Promise((done) => requestAnimationFrame(done));
        rows = Math.max(rows, document.querySelectorAll('[role=option]').length);
      }
      return rows;
    });
    expect(most).toBeLessThan(100);
    expect(most).toBeGreaterThan(15);
    await page.keyboard.press('Shift+G');
    await page.locator(`#step-${MANY - 1}[aria-selected=true]`, { hasText: `echo ${MANY - 1}` }).waitFor();
    expect(await page.locator(`#step-${MANY - 1}`).getAttribute('aria-setsize')).toBe(String(MANY));
    await page.locator('#filter').fill('deny');
    await page.waitForFunction(() => document.querySelector('#place')?.textContent === '400 / 400');
    await page.locator('#filter').fill('o 1234');
    await page.waitForFunction(() => document.querySelector('#place')?.textContent?.endsWith('/ 12'));
    await page.locator('#filter').fill('xqz');
    await page.getByText('No step matches the filter.').waitFor();
    await page.context().close();
  });

  test('the timeline zooms, and a click goes there', async () => {
    const { page } = await open(browser, served, '#session=many');
    await page.waitForFunction(
      (n) => document.querySelector('#place')?.textContent?.endsWith(n),
      MANY.toLocaleString('en'),
    );
    const picture = async (): Promise<string> => {
      await page.waitForTimeout(150);
      return page.evaluate(() => (document.querySelector('#chart') as HTMLCanvasElement).toDataURL());
    };
    const whole = await picture();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await picture()).not.toBe(whole);
    await page.getByRole('button', { name: 'Fit' }).click();
    expect(await picture()).toBe(whole);
    const box = (await page.locator('#chart').boundingBox()) as NonNullable<
      Awaited<ReturnType<ReturnType<typeof page.locator>['boundingBox']>>
    >;
    await page.mouse.click(box.x + box.width / 2, box.y + 60);
    const at = Number(await page.locator('#scrub').inputValue());
    expect(Math.abs(at - MANY / 2)).toBeLessThan(MANY / 50);
    await page.context().close();
  });

  test('a live session is followed; outcomes join their calls', async () => {
    const { page } = await open(browser, served, '#session=alpha-1');
    await page.getByLabel('Follow').check();
    const writer = openWriter(paths());
    const call = callOf('make all', { session: 'alpha-1', callId: 'toolu_live' });
    writer.append(draftOf('make all', { call, at: START + 700_000 }));
    await page.locator('#step-7[aria-selected=true]', { hasText: 'make all' }).waitFor();
    await page.locator('.record .badge', { hasText: 'open' }).waitFor();
    const result = { text: 'made', exitCode: 0, failed: false, interrupted: false, durationMs: 40 };
    const done = { ...call, event: 'PostToolUse', rawEvent: 'PostToolUse', result } as const;
    writer.append(
      draftOf('', { kind: 'outcome', call: done, at: START + 700_040, facts: null, decision: null, answer: '' }),
    );
    writer.close();
    await page.locator('.record .output', { hasText: 'made' }).waitFor();
    await page.context().close();
  });

  test('light and dark, by the system or by choice', async () => {
    const paper = { light: 'rgb(255, 255, 255)', dark: 'rgb(18, 21, 27)' };
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(browser, served, '', { colorScheme });
      const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await background()).toBe(paper[colorScheme]);
      const button = page.getByRole('button', { name: 'Theme' });
      await button.click();
      expect([await background(), await button.textContent()]).toEqual([paper.light, 'Theme: light']);
      await button.click();
      await page.reload();
      await page.waitForSelector('[role=option]');
      expect(await background()).toBe(paper.dark);
      await page.context().close();
    }
  });

  test('everything that can be worked has a name; nothing is wider than a small screen', async () => {
    const { page } = await open(browser, served, '#session=alpha-1&seq=7');
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, [tabindex="0"]')]
        .filter((node) => {
          const labels = (node as HTMLInputElement).labels;
          return !(node.getAttribute('aria-label') || node.textContent?.trim() || (labels && labels.length > 0));
        })
        .map((node) => node.outerHTML),
    );
    expect(nameless).toEqual([]);
    for (const width of [1440, 1024, 700]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await page.locator('#record').isVisible()).toBe(true);
      expect(await page.locator('#step-0').isVisible()).toBe(true);
    }
    await page.context().close();
  });

  describe('another page in the same browser', () => {
    let evil: Server;
    beforeAll(async () => {
      evil = createServer((_request, response) =>
        response.setHeader('Content-Type', 'text/html').end('<title>evil</title>'),
      );
      await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done));
    });
    afterAll(() => evil.close());

    test('reads nothing, frames nothing, sends nothing', async () => {
      const { page } = await open(browser, served);
      const target = new URL(page.url()).origin;
      const other = await page.context().newPage();
      await other.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
      const seen = await other.evaluate(async (origin) => {
        const out: Record<string, string> = {};
        const tried = async (name: string, run: () => Promise<string>): Promise<void> => {
          out[name] = await run().catch((error: unknown) => (error as Error).name);
        };
        await tried('read', () => fetch(`${origin}/api/sessions`, { credentials: 'include' }).then((r) => r.text()));
        await tried('opaque', () =>
          fetch(`${origin}/api/sessions`, { credentials: 'include', mode: 'no-cors' }).then((r) => r.text()),
        );
        await tried('send', () =>
          fetch(`${origin}/api/sessions`, { method: 'POST', credentials: 'include' }).then((r) => r.text()),
        );
        await tried(
          'script',
          () =>
            new Promise((done) => {
              const script = document.createElement('script');
              script.src = `${origin}/viewer.js`;
              script.onload = () => done('loaded');
              script.onerror = () => done('refused');
              document.head.append(script);
            }),
        );
        return out;
      }, target);
      expect(seen).toEqual({ read: 'TypeError', opaque: 'TypeError', send: 'TypeError', script: 'refused' });
      const framed = await other.evaluate(async (origin) => {
        const frame = document.createElement('iframe');
        frame.src = `${origin}/`;
        document.body.append(frame);
        await new Promise((done) => {
          frame.onload = done;
        });
        try {
          return frame.contentDocument === null ? 'foreign' : 'own';
        } catch {
          return 'foreign';
        }
      }, target);
      expect(framed).toBe('foreign');
      expect(
        await Promise.all(
          other.frames().map((frame) =>
            frame
              .locator('[role=option]')
              .count()
              .catch(() => 0),
          ),
        ),
      ).toEqual([0, 0]);
      await page.context().close();
    });
  });

  test('an address that was used lets nobody else in', async () => {
    const address = await served.invite();
    const first = await browser.newContext();
    const own = await first.newPage();
    await own.goto(address);
    await own.locator('.session').first().waitFor();
    // Neither the address bar nor a cookie, which all ports of a host share, holds the key.
    expect(new URL(own.url()).search).toBe('');
    expect(await first.cookies()).toEqual([]);
    await own.reload();
    await own.locator('.session').first().waitFor();
    const second = await browser.newContext();
    const page = await second.newPage();
    await page.goto(address);
    await page.locator('#notice', { hasText: 'works once' }).waitFor();
    expect(await page.locator('.session').count()).toBe(0);
    await first.close();
    await second.close();
  });
});
