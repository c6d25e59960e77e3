import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeViewOf, targetOf, viewOf } from '../../src/probe/view/daemon-view.test-support.ts';
import { launchChromium, openPage } from '../support/chromium-page.ts';
import { EVERYTHING, REFUSED, statusAddress } from '../support/pages/status-pages.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

test('the status page tells first what fails, and a screen reader what stands where', async () => {
  const url = await statusAddress(() => EVERYTHING);
  const { page } = await openPage(browser, url, { width: 1440, theme: 'light' });
  expect(await page.locator('h1').innerText()).toBe(
    'The bill of main has 14 findings. 1 of 5 probes fails: messages-stream-aspen-large of main. 1 of 5 probes waits for an answer: chat-aspen-mini of main.',
  );
  expect(await page.locator('b').count()).toBe(0);
  expect(await page.getByRole('main').count()).toBe(1);
  expect(await page.getByRole('navigation').count()).toBe(1);
  expect(await page.getByRole('rowheader').count()).toBe(6);
  expect(await page.getByRole('columnheader').count()).toBe(6 + 5 + 6);
  expect(await page.getByRole('img', { name: '24 hours' }).count()).toBe(5 + 2);
});

test('on a phone healthy probes are a line each until they are asked for; on a wide page nothing is folded', async () => {
  const url = await statusAddress(() => EVERYTHING);
  const { page } = await openPage(browser, url, { width: 375, theme: 'light' });
  const unfold = page.getByRole('checkbox', { name: 'Show every figure of each probe' });
  const heights = () =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('tr.calm')].map((row) => row.getBoundingClientRect().height)`,
    );
  const folded = await heights();
  expect(folded.length).toBeGreaterThan(0);
  for (const height of folded) expect(height).toBeLessThan(60);
  await unfold.check();
  for (const height of await heights()) expect(height).toBeGreaterThan(100);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await unfold.isVisible()).toBe(false);
});

test('the page renews itself, and says so when the daemon does not answer', async () => {
  let view = viewOf({});
  const url = await statusAddress(() => view);
  const context = await browser.newContext({ viewport: { width: 375, height: 900 } });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_')) faults.push(message.text());
  });
  await page.clock.install();
  await page.goto(url, { waitUntil: 'load' });
  await page.getByText('The probe of main works').first().waitFor();
  view = viewOf({
    targets: [targetOf({ probes: [probeViewOf({ runs: [REFUSED], last_success_ms: null })] })],
  });
  await page.clock.fastForward(15_000);
  await page.getByRole('heading', { name: 'No request to main has succeeded' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.setOffline(true);
  await page.clock.fastForward(15_000);
  await page.getByText('The daemon does not answer. This page is from').waitFor({ timeout: 100_000 });
  await context.setOffline(false);
  await page.clock.fastForward(15_000);
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
  await context.close();
});
