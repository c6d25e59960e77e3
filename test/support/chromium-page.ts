import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';

export type Theme = 'light' | 'dark';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
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
}

export interface OpenedPage {
  readonly page: Page;
  /** Until the load event, which is after the charts are drawn. */
  readonly loadMs: number;
  /** Errors and warnings of the console, and exceptions, so far. */
  readonly faults: readonly string[];
  /** What was asked for beside the page itself, so far. */
  readonly requests: readonly string[];
}

/** Opens a file without a network, as its reader would. */
export async function openOffline(
  browser: Browser,
  url: string,
  { width, theme }: { readonly width: number; readonly theme: Theme },
): Promise<OpenedPage> {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ viewport, colorScheme: theme, offline: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) requests.push(request.url());
  });
  const start = performance.now();
  await page.goto(url, { waitUntil: 'load' });
  return { page, loadMs: performance.now() - start, faults, requests };
}

/**
 * Tables of which a reader cannot see the right edge: it must lie inside what a container scrolls, the container inside
 * the page. A table without a container must itself fit.
 */
const TABLES_OUT_OF_REACH = `[...document.querySelectorAll('table')].filter((table) => table.checkVisibility()).flatMap((table) => {
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

const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })) }),
);

/** Everything that it calls a fault, with the places of faults only. */
const AXE_RUN = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/** Nothing sticks out, nothing was fetched, nothing complained, and axe finds no fault. */
export async function expectSound({ page, faults, requests }: OpenedPage): Promise<void> {
  expect(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBe(0);
  expect(await page.evaluate(TABLES_OUT_OF_REACH)).toEqual([]);
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = violations.parse(await page.evaluate(AXE_RUN));
  expect(
    found.map(({ id, nodes }) => ({ id, nodes: nodes.length, first: nodes[0] })),
    'axe',
  ).toEqual([]);
  expect(faults).toEqual([]);
  expect(requests).toEqual([]);
}
