import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refreshIndex } from '../../src/cli/history/refresh-index.ts';
import { runsIndexHtml } from '../../src/report/runs-index/runs-index-html.ts';
import { expectSound, launchChromium, openOffline } from '../support/chromium-page.ts';
import { ROOT, sampleFolder } from '../support/run-weighbridge.ts';

const SHOTS = join(ROOT, 'build/screenshots');
const out = mkdtempSync(join(tmpdir(), 'weighbridge-index-'));
let browser: Browser;

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  for (let day = 10; day < 40; day += 1) {
    const dir = join(out, `202611${day}T000000Z-${day}`);
    mkdirSync(dir);
    cpSync(join(sampleFolder(), 'result.json'), join(dir, 'result.json'));
  }
  refreshIndex(join(out, '20261110T000000Z-10'));
  writeFileSync(join(out, 'empty.html'), runsIndexHtml([]));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(out, { recursive: true, force: true });
});

test.for(
  ['index', 'empty'].flatMap((page) =>
    [375, 768, 1440].flatMap((width) =>
      (['light', 'dark'] as const).map((theme) => ({ page, width, theme })),
    ),
  ),
)('$page of runs at $width px, $theme: nothing fetched, no error, no overflow, axe clean', async (shown) => {
  const opened = await openOffline(browser, pathToFileURL(join(out, `${shown.page}.html`)).href, shown);
  const name = `runs-${shown.page}-${shown.width}-${shown.theme}.png`;
  await opened.page.screenshot({ path: join(SHOTS, name), fullPage: true });
  expect(await opened.page.locator('.spark').count()).toBe(shown.page === 'index' ? 4 : 0);
  await expectSound(opened);
});
