import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { OpenedPage, Theme } from './chromium-page.ts';
import { ROOT } from './run-weighbridge.ts';

/** Where pictures of pages are kept, to be looked at. */
export const SCREENSHOTS = join(ROOT, 'build/screenshots');

/** `SCREENSHOTS=1` keeps one of each page in each size and theme: a third of the time that all of this takes. */
const KEEPS_PICTURES = process.env['SCREENSHOTS'] !== undefined;

const WIDTHS = [375, 768, 1440] as const;

/**
 * What axe looks for. The themes differ in nothing but colours, so in the dark only what depends on them is looked at again;
 * what a reader can reach depends on the width, so that is looked at at each.
 */
const AXE_OPTIONS: Readonly<Record<Theme, string>> = {
  light: `{ resultTypes: ['violations'] }`,
  dark: `{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }`,
};

/**
 * One page in all sizes and themes, redrawn in place as for a reader who turns his phone or his lamp: nothing sticks out,
 * nothing was fetched, nothing complained, and axe finds no fault.
 */
export async function expectSoundAtEverySize(opened: OpenedPage, name: string): Promise<void> {
  const { page, faults, requests } = opened;
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['light', 'dark'] as const) {
      const at = `${name}-${width}-${theme}`;
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(TWO_FRAMES);
      if (KEEPS_PICTURES) await page.screenshot({ path: join(SCREENSHOTS, `${at}.png`), fullPage: true });
      expect(await page.evaluate(OUT_OF_REACH), `${at}: out of reach`).toEqual([]);
      expect(await axeFindings(page, theme), `${at}: axe`).toEqual([]);
    }
  }
  expect(faults, `${name}: console`).toEqual([]);
  expect(requests, `${name}: asked for from elsewhere`).toEqual([]);
}

/** Charts are drawn anew in the frame after the one that sees the new width. */
const TWO_FRAMES = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`;

/**
 * What a reader cannot see the right edge of: the page itself, boxes beyond it that nothing scrolls, and tables whose scroll
 * ends before they do.
 */
const OUT_OF_REACH = `(() => {
  const pageWidth = document.documentElement.clientWidth;
  const overflow = document.documentElement.scrollWidth - pageWidth;
  const holderOf = (box) => {
    let at = box.parentElement;
    while (at !== null && at !== document.body && getComputedStyle(at).overflowX === 'visible') at = at.parentElement;
    return at === document.body ? null : at;
  };
  const beyond = [...document.querySelectorAll('header *, main *, footer *')].flatMap((box) => {
    const { left, right, width } = box.getBoundingClientRect();
    if (width <= 1 || (left >= 0 && Math.floor(right) <= pageWidth) || holderOf(box) !== null) return [];
    return [box.tagName + ' ' + box.className + ' of ' + box.closest('section')?.id + ': ' + left + ' to ' + right];
  });
  const cut = [...document.querySelectorAll('table')].filter((table) => table.checkVisibility()).flatMap((table) => {
    const holder = holderOf(table);
    if (holder === null) return [];
    const end = Math.ceil(holder.getBoundingClientRect().left - holder.scrollLeft + holder.scrollWidth);
    const right = Math.floor(table.getBoundingClientRect().right);
    return right <= end ? [] : ['table of ' + table.closest('section')?.id + ': ' + right + ' in ' + end];
  });
  return [...(overflow === 0 ? [] : ['the page, by ' + overflow]), ...beyond, ...cut];
})()`;

const violations = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })) }),
);

/** Each fault with how often it was found, and the first place. */
async function axeFindings(page: Page, theme: Theme): Promise<readonly object[]> {
  const run = `axe.run(${AXE_OPTIONS[theme]}).then(({ violations }) => violations)`;
  return violations
    .parse(await page.evaluate(run))
    .map(({ id, nodes }) => ({ id, nodes: nodes.length, first: nodes[0] }));
}
