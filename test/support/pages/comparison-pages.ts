import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { COMPARED_MEASURES, type ComparedFigure } from '../../../src/contracts/comparison.ts';
import { PAID_KINDS, type PaidKind } from '../../../src/core/call-kind.ts';
import type { RunComparison } from '../../../src/report/comparison/run-comparison.ts';
import { comparisonHtml } from '../../../src/report/page/comparison-html.ts';
import type { ShownPage } from './shown-page.ts';

/** Every measure of a kind, each a little more different than the one before; `by` 0 for runs that do not differ. */
function figuresOf(kind: PaidKind, by: number): readonly ComparedFigure[] {
  return COMPARED_MEASURES.map((measure, place) => {
    const share = measure.endsWith('_share');
    const before = share ? 0.01 * (place % 2) : 100 + 37 * place;
    const unit = share ? 0.1 : before;
    const shift = unit * by * (place / 8 - 0.6);
    const [low, high] = [shift - 0.06 * unit, shift + 0.08 * unit];
    const told = place % 6 !== 4;
    const verdict = low > 0 ? 'worse' : high < 0 ? 'better' : 'same';
    return {
      kind,
      measure,
      before,
      after: before + shift,
      change: before === 0 ? null : shift / before,
      low: told ? low : null,
      high: told ? high : null,
      verdict: told ? verdict : 'too_few_calls',
    };
  });
}

const BEFORE = '20261120T100000Z-4711';
const after = (day: number) => `202611${day}T100000Z-4711`;

const COMPARISONS: Readonly<Record<string, readonly RunComparison[]>> = {
  small: [{ before: BEFORE, after: after(21), figures: figuresOf('chat', 0), notes: [] }],
  large: [0.4, 1.6, -0.5].map((by, index) => ({
    before: BEFORE,
    after: after(21 + index),
    figures: PAID_KINDS.flatMap((kind) => figuresOf(kind, by)),
    notes: ['the plans differ: so may the calls, and not only what answered them'],
  })),
  empty: [{ before: BEFORE, after: after(21), figures: [], notes: [] }],
};

/** compare.html of two runs that do not differ, of several that do by all that can be told, and of two with nothing in common. */
export function comparisonPages(parent: string): readonly ShownPage[] {
  return Object.entries(COMPARISONS).map(([name, comparisons]) => ({
    name: `compare-${name}`,
    address() {
      const file = join(parent, `compare-${name}.html`);
      writeFileSync(file, comparisonHtml(comparisons, '0.1.0'));
      return pathToFileURL(file).href;
    },
    async expected(page) {
      expect(await page.locator('main section').count()).toBe(comparisons.length);
      const told = comparisons.flatMap(({ figures }) => figures.filter(({ low }) => low !== null));
      expect(await page.locator('.spans tbody tr').count()).toBe(told.length);
    },
  }));
}
