import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { SecretValues } from '../../src/client/secrets/secret-values.ts';
import { openProbeServer } from '../../src/probe/server/probe-server.ts';
import {
  probeViewOf,
  runOf,
  targetOf,
  VIEW_NOW,
  viewOf,
} from '../../src/probe/view/daemon-view.test-support.ts';
import type { DaemonView } from '../../src/probe/view/daemon-view.ts';
import { launchChromium } from '../support/chromium-page.ts';
import { ROOT } from '../support/run-weighbridge.ts';

const SHOTS = join(ROOT, 'build/screenshots');
const LONG = `req_${'0123456789abcdef'.repeat(6)}`;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  browser = await launchChromium();
});

afterAll(() => browser.close());

const runs = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    runOf({
      duration_ms: 300 + ((index * 7919) % 400),
      ...(index % 11 === 5 ? { error_type: 'http_5xx', blame: 'gateway' } : {}),
    }),
  );
const refused = runOf({
  error_type: 'timeout_first_token',
  blame: 'gateway',
  why: 'expected the first token within 30 s, found none after the headers; <b>not bold</b>',
  request_id: LONG,
  duration_ms: 30_004,
});

/** Something of everything that the page can show, with names as long as they come. */
const VIEW = viewOf({
  reload: {
    successful: false,
    last_success_ms: VIEW_NOW - 4_000_000,
    problem: `/etc/weighbridge/${'very-long-folder-name/'.repeat(5)}weighbridge.yaml:12:7 probe.text.every: must be 10s or longer: each run is paid — found "1s"`,
  },
  targets: [
    targetOf({
      probes: [
        probeViewOf({ runs: runs(30) }),
        probeViewOf({
          name: 'messages-stream-aspen-large',
          api: 'messages',
          stream: true,
          runs: [...runs(29), refused],
        }),
        probeViewOf({
          name: 'image-job-willow',
          api: 'image_job',
          model: 'willow-image-1',
          runs: runs(3),
          held: 'budget',
        }),
        probeViewOf({ name: 'models', api: 'models', model: null, runs: [] }),
      ],
      budget: {
        hour: { spent: 412_345_678_901n, limit: 500_000_000_000n },
        day: { spent: 5_000_000_000_000n, limit: 5_000_000_000_000n },
      },
      tasks_open: [
        {
          probe: 'video',
          api: 'video',
          id: `video_${'f'.repeat(60)}`,
          created_ms: VIEW_NOW - 95_000,
          status: 'in_progress',
        },
      ],
      credit_units: 12_345_678n,
      audit: { at_ms: VIEW_NOW - 600_000, calls: 812, findings: 2, verdict: 'Two charges do not hold' },
    }),
    targetOf({
      name: `a-target-of-a-very-long-name-${'x'.repeat(40)}`,
      root: `https://${'sub.'.repeat(20)}example`,
    }),
  ],
});

async function served(view: () => DaemonView): Promise<string> {
  const server = await openProbeServer({
    listen: { host: '127.0.0.1', port: 0, tls: null, auth: null },
    daemon: {
      view,
      render: async () => ({ contentType: 'text/plain', body: '' }),
      reload: async () => ({ ok: true }),
      config: () => '',
      runNow: async () => null,
    },
    secrets: new SecretValues(),
    now: Date.now,
    onFault: (error) => {
      throw error;
    },
    onProblem: () => {},
  });
  onTestFinished(() => server.close(AbortSignal.abort()));
  return `${server.url}/`;
}

/** Texts whose contrast with what is painted behind them is below 4.5 (WCAG 2.2, 1.4.3). */
const PALE_TEXTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (box) => {
    for (let at = box; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if ((parts(color)[3] ?? 1) === 1) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('body *')]
    .filter((box) => [...box.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && box.checkVisibility())
    .filter((box) => !['SCRIPT', 'STYLE'].includes(box.tagName))
    .flatMap((box) => {
      const [a, b] = [light(getComputedStyle(box).color), light(ground(box))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      return contrast < 4.5 ? [box.className + ' ' + box.textContent.slice(0, 30) + ' ' + contrast.toFixed(2)] : [];
    });
})()`;

/** Boxes that reach beyond the page, or whose content is cut off. */
const BEYOND = `[...document.querySelectorAll('main *, header *')].flatMap((box) => {
  const { left, right, width } = box.getBoundingClientRect();
  return width > 1 && (left < 0 || Math.floor(right) > document.documentElement.clientWidth) && box.closest('thead') === null
    ? [box.tagName + ' ' + box.className + ' ' + left + '..' + right]
    : [];
})`;

test.for([
  { width: 1440, colorScheme: 'light' as const },
  { width: 1440, colorScheme: 'dark' as const },
  { width: 820, colorScheme: 'light' as const },
  { width: 375, colorScheme: 'light' as const },
  { width: 375, colorScheme: 'dark' as const },
])(
  'the status page at $width px, $colorScheme: no error, nothing else fetched, nothing beyond the edge, contrast kept',
  async ({ width, colorScheme }) => {
    const url = await served(() => VIEW);
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(url, { waitUntil: 'load' });
    expect(await page.locator('h1').innerText()).toBe(
      '1 of 5 probes fails: messages-stream-aspen-large of main',
    );
    expect(await page.locator('b').count()).toBe(0);
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('navigation').count()).toBe(1);
    expect(await page.getByRole('rowheader').count()).toBe(6);
    expect(await page.getByRole('columnheader').count()).toBe(6 + 5 + 6);
    expect(await page.getByRole('img', { name: 'last 30 runs' }).count()).toBe(2);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(await page.evaluate(BEYOND)).toEqual([]);
    expect(await page.evaluate(PALE_TEXTS)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, `probe-${width}-${colorScheme}.png`), fullPage: true });
    expect(faults).toEqual([]);
    expect(requests.filter((request) => request !== url && !request.startsWith('data:'))).toEqual([]);
    await context.close();
  },
);

test('the page renews itself, and says so when the daemon does not answer', async () => {
  let view = viewOf({});
  const url = await served(() => view);
  const context = await browser.newContext({ viewport: { width: 375, height: 900 } });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_')) faults.push(message.text());
  });
  await page.clock.install();
  await page.goto(url, { waitUntil: 'load' });
  await page.getByText('The one probe of main is well').first().waitFor();
  view = viewOf({ targets: [targetOf({ probes: [probeViewOf({ runs: [refused] })] })] });
  await page.clock.fastForward(15_000);
  await page.getByRole('heading', { name: '1 of 1 probe fails' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.setOffline(true);
  await page.clock.fastForward(15_000);
  await page.getByText('The daemon does not answer. What stands here is of').waitFor({ timeout: 10_000 });
  await context.setOffline(false);
  await page.clock.fastForward(15_000);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await context.close();
});
