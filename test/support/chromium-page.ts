import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

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
  /** What was asked for beside the page itself and what its own server has, so far. */
  readonly requests: readonly string[];
}

/** Opens a page as its reader would; a file without a network. */
export async function openPage(
  browser: Browser,
  url: string,
  { width, theme }: { readonly width: number; readonly theme: Theme },
): Promise<OpenedPage> {
  const { protocol, origin } = new URL(url);
  const offline = protocol === 'file:';
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ viewport, colorScheme: theme, offline });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const asked = request.url();
    const own = offline ? asked === url : asked.startsWith(`${origin}/`);
    if (!own && !asked.startsWith('data:')) requests.push(asked);
  });
  const start = performance.now();
  await page.goto(url, { waitUntil: 'load' });
  return { page, loadMs: performance.now() - start, faults, requests };
}
