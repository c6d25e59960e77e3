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

test.for([
  { width: 1440, colorScheme: 'light' as const },
  { width: 768, colorScheme: 'light' as const },
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
    await page.screenshot({ path: join(SHOTS, `report-${width}-${colorScheme}.png`), fullPage: true });
    expect(faults).toEqual([]);
    expect(requests.filter((request) => request !== url && !request.startsWith('data:'))).toEqual([]);
    await context.close();
  },
);
