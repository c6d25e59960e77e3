/**
 * Draws the pictures of the pages from the sample run: `npm run pictures`, with Debian's chromium. Beside each it notes the
 * SHA-256 of the page that was drawn, so that a test sees a picture of an older report.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '..');
const SAMPLE = join(ROOT, 'reports/sample');
const [run = ''] = readdirSync(SAMPLE);
const report = join(SAMPLE, run, 'report.html');
const folder = join(ROOT, 'docs/pictures');

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(report).href, { waitUntil: 'load' });
  await page.screenshot({ path: join(folder, 'report.png') });
} finally {
  await browser.close();
}
writeFileSync(
  join(folder, 'report.sha256'),
  `${createHash('sha256').update(readFileSync(report)).digest('hex')}\n`,
);
console.error(`wrote docs/pictures/report.png from reports/sample/${run}/report.html`);
