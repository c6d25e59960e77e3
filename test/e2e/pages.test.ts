import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, openPage } from '../support/chromium-page.ts';
import { comparisonPages } from '../support/pages/comparison-pages.ts';
import { indexPages } from '../support/pages/index-pages.ts';
import { letterPages } from '../support/pages/letter-pages.ts';
import { livePages } from '../support/pages/live-pages.ts';
import { LARGE_CALLS, Reports, reportPages } from '../support/pages/report-pages.ts';
import { statusPages } from '../support/pages/status-pages.ts';
import { expectSoundAtEverySize, SCREENSHOTS } from '../support/sound-page.ts';

const MOST_BYTES = 1_500_000;
const MOST_ELEMENTS = 10_000;
const parent = mkdtempSync(join(tmpdir(), 'weighbridge-pages-'));
const reports = new Reports(parent);
let browser: Browser;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(parent, { recursive: true, force: true });
});

test.for([
  ...reportPages(reports),
  ...indexPages(parent),
  ...letterPages(parent),
  ...comparisonPages(parent),
  ...statusPages(),
  ...livePages(),
])(
  '$name in all sizes and themes: nothing fetched, no error, no overflow, axe clean',
  async ({ name, address, expected }) => {
    const opened = await openPage(browser, await address(), { width: 1440, theme: 'light' });
    await expected(opened.page);
    await expectSoundAtEverySize(opened, name);
  },
);

const SEEN = `((selector) => [...document.querySelectorAll(selector)].filter((of) => {
  const box = of.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}).map((of) => of.innerText).join('\\n'))`;

test('the first screen answers in words: the bill, the load, and whether the measurement counts', async () => {
  const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
  expect(await page.evaluate(`${SEEN}('h1')`)).toContain('549 of 549 charges match the price list.');
  const cards = await page.evaluate(`${SEEN}('.card')`);
  expect(cards).toMatch(/Charged\s+\$1\.96023935/);
  expect(cards).toContain('549 of 549 calls succeeded.');
  expect(cards).toContain('Your machine kept up. The latencies count.');
});

test('a clean run takes at most four screens, with the folds as they come', async () => {
  const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
  expect(await page.evaluate('document.documentElement.scrollHeight / innerHeight')).toBeLessThanOrEqual(4);
  expect(await page.locator('main details[open]').count()).toBe(0);
});

test(`report.html of ${LARGE_CALLS} calls stays small`, async () => {
  const { size } = statSync(await reports.file('large'));
  expect(size).toBeLessThanOrEqual(MOST_BYTES);
  // What takes a browser long is the number of boxes, not of bytes.
  const { page } = await openPage(browser, await reports.address('large'), { width: 1440, theme: 'light' });
  expect(await page.locator('*').count()).toBeLessThanOrEqual(MOST_ELEMENTS);
});

describe('who reads a report', () => {
  test('sorts and filters a table, totals staying last', async () => {
    const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
    const load = page.locator('#load table').first();
    const started = load.getByRole('button', { name: 'started', exact: true });
    const figures = () => load.locator('tbody tr td:nth-child(2)').allInnerTexts();
    const before = (await figures()).map(Number);
    await started.click();
    expect(await load.locator('th[aria-sort=descending]').innerText()).toContain('started');
    expect((await figures()).map(Number)).toEqual(before.toSorted((left, right) => right - left));
    expect(await load.locator('tfoot td').first().innerText()).toBe('total');
    await started.focus();
    await page.keyboard.press('Enter');
    expect((await figures()).map(Number)).toEqual(before.toSorted((left, right) => left - right));
    await page.locator('#latency > summary').click();
    await page.locator('#latency input[type=search]').fill('chat TTFT');
    expect(await page.locator('#latency .wide tbody tr:visible td:first-child').allInnerTexts()).toContain(
      'chat',
    );
    expect(await page.locator('#latency .filter span').innerText()).toMatch(/^1 of \d+ rows$/);
    expect(await page.locator('#told').textContent()).toMatch(/^1 of/);
  });

  test('sees one tab at a time, by mouse and by keyboard', async () => {
    const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
    const shown = () => page.evaluate(SHOWN_TABS);
    expect(await shown()).toEqual(['All kinds']);
    expect(await page.locator('canvas').count()).toBe(6);
    await page.getByRole('tab', { name: 'chat' }).click();
    expect(await shown()).toEqual(['chat']);
    expect(await page.locator('[data-tab=chat] canvas').count()).toBeGreaterThanOrEqual(6);
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(['responses']);
    expect(await page.locator('[role=tab][aria-selected=true]').innerText()).toBe('responses');
  });

  test('counts times from the planned start, where that is chosen', async () => {
    const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
    const sent = await picture(page);
    await page.locator('#from-plan').check();
    const planned = await picture(page);
    // The rates are the same, the times are not.
    expect(planned.slice(0, 3)).toEqual(sent.slice(0, 3));
    expect(planned).not.toEqual(sent);
  });

  test('takes the letter along, copied or as a file, and opens what a link names', async () => {
    const { page } = await openPage(browser, await reports.address('faulty'), {
      width: 1440,
      theme: 'light',
    });
    await page.evaluate(COPIES);
    await page.getByRole('button', { name: 'Copy the letter' }).click();
    const letter = String(await page.evaluate('copied.at(-1)'));
    expect(letter).toMatch(/^Subject: Please (credit|explain)/);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download it' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('letter.txt');
    expect(readFileSync(await saved.path(), 'utf8')).toBe(letter);
    await page.evaluate("location.hash = 'undecided'");
    await page.locator('#undecided[open]').waitFor();
  });

  test('zooms all charts over time at once, reads their points, and sees all again', async () => {
    const { page } = await openPage(browser, await reports.address('small'), { width: 1440, theme: 'light' });
    const first = page.locator('#charts [data-chart]').first();
    const over = first.locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (box === null) throw new Error('no chart');
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    expect(await first.locator('.tip').innerText()).toMatch(/^\d+ s\n.*sent/s);
    const whole = await picture(page);
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 4 });
    await page.mouse.up();
    const zoomed = await picture(page);
    expect(zoomed.filter((each, index) => each === whole[index])).toEqual([]);
    await over.dblclick({ position: { x: box.width / 2, y: 40 } });
    expect(await picture(page)).toEqual(whole);
    await first.focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#told').textContent()).toMatch(/s, planned .*sent /);
    await page.keyboard.press('+');
    expect(await picture(page)).not.toEqual(whole);
    await page.keyboard.press('0');
    expect(await picture(page)).toEqual(whole);
  });

  test('takes request ids along', async () => {
    const { page } = await openPage(browser, await reports.address('large'), { width: 1440, theme: 'light' });
    await page.evaluate(COPIES);
    await page.locator('#findings details > summary').first().click();
    await page.locator('#findings .id', { hasText: 'req_19' }).first().click();
    expect(await page.evaluate('copied.at(-1)')).toMatch(/^req_19/);
    await page
      .getByRole('button', { name: /^Copy \d+ request ids$/ })
      .first()
      .click();
    expect(String(await page.evaluate('copied.at(-1)')).split('\n').length).toBeGreaterThan(50);
    expect(await page.locator('#told').textContent()).toBe('Copied');
  });

  test('prints it whole on white paper, light charts and opened folds, from a dark screen', async () => {
    const { page, faults } = await openPage(browser, await reports.address('small'), {
      width: 1440,
      theme: 'dark',
    });
    const ground = 'getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(ground)).not.toBe('rgb(255, 255, 255)');
    const dark = await picture(page);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)');
    // The page hears of the other medium with its next frame.
    const stillDark = async () => (await picture(page)).filter((each, index) => each === dark[index]);
    await expect.poll(stillDark).toEqual([]);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.evaluate(LINES_OF_AMOUNTS)).toEqual([1]);
    writeFileSync(join(SCREENSHOTS, 'report-small.pdf'), await page.pdf({ format: 'A4' }));
    expect(faults).toEqual([]);
  });
});

/** On how many lines the amounts of the bill's steps stand: one that is broken inside is read as another. */
const LINES_OF_AMOUNTS = `[...new Set([...document.querySelectorAll('.fall td.number')].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}))]`;

/** The charts over time as they stand on the screen. */
async function picture(page: Page): Promise<readonly unknown[]> {
  const pictures = await page.evaluate(
    "[...document.querySelectorAll('#charts canvas')].slice(0, 6).map((canvas) => canvas.toDataURL())",
  );
  if (!Array.isArray(pictures)) throw new Error('no pictures');
  return pictures;
}

const SHOWN_TABS = `[...document.querySelectorAll('[data-tab]')].filter((tab) => tab.checkVisibility()).map((tab) => tab.dataset.tab)`;

/** A browser without a screen has no clipboard: what would be put there is kept. */
const COPIES = `globalThis.copied = [];
Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text); } } });`;
