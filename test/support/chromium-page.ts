import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** For a page that a busy machine draws. */
const LONGEST_WAIT_MS = 300_000;

export type Theme = 'light' | 'dark';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    timeout: LONGEST_WAIT_MS,
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
  context.setDefaultTimeout(LONGEST_WAIT_MS);
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
  // The load event comes after the charts are drawn.
  await page.goto(url, { waitUntil: 'load' });
  return { page, faults, requests };
}
