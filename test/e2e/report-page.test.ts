import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, sampleFolder } from '../support/run-weighbridge.ts';

const SHOTS = join(ROOT, 'build/screenshots');
let browser: Awaited<ReturnType<typeof chromium.launch>>;

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

afterAll(() => browser.close());

/**
 * Tables of which a reader cannot see the right edge: it must lie inside what a container scrolls, the container inside
 * the page. A table without a container must itself fit.
 */
const TABLES_OUT_OF_REACH = `[...document.querySelectorAll('table')].flatMap((table) => {
  const scrolls = (box) => ['auto', 'scroll'].includes(getComputedStyle(box).overflowX);
  let box = table.parentElement;
  while (box !== null && !scrolls(box)) box = box.parentElement;
  const pageWidth = document.documentElement.clientWidth;
  const right = Math.floor(table.getBoundingClientRect().right);
  const seen = box === null ? { left: 0, right: pageWidth, end: pageWidth } : {
    left: box.getBoundingClientRect().left,
    right: Math.floor(box.getBoundingClientRect().right),
    end: Math.ceil(box.getBoundingClientRect().left - box.scrollLeft + box.scrollWidth),
  };
  return seen.left >= 0 && seen.right <= pageWidth && right <= seen.end
    ? []
    : [{ section: table.closest('section')?.id, right, ...seen, pageWidth }];
})`;

test.for([
  { width: 1440, colorScheme: 'light' as const },
  { width: 768, colorScheme: 'light' as const },
  { width: 420, colorScheme: 'light' as const },
  { width: 375, colorScheme: 'dark' as const },
])(
  'report.html opens offline at $width px, $colorScheme: charts drawn, nothing fetched, no error, no overflow',
  async ({ width, colorScheme }) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      offline: true,
    });
    const page = await context.newPage();
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    const url = pathToFileURL(join(sampleFolder(), 'report.html')).href;
    await page.goto(url, { waitUntil: 'load' });
    await page.locator('canvas').first().waitFor();
    expect(await page.locator('canvas').count()).toBeGreaterThanOrEqual(2);
    expect(await page.locator('h1').innerText()).not.toBe('');
    expect(await page.locator('body').innerText()).toContain('The bill holds');
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(await page.evaluate(TABLES_OUT_OF_REACH)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, `report-${width}-${colorScheme}.png`), fullPage: true });
    expect(faults).toEqual([]);
    expect(requests.filter((request) => request !== url && !request.startsWith('data:'))).toEqual([]);
    await context.close();
  },
);
