import * as z from 'zod';
import { parseDecimal } from '../../../core/decimal.ts';
import { defineFault, type FaultDefinition, firing, plainFault } from '../../hooks/fault-definition.ts';
import type { PageSlice, SlicedRead } from '../../hooks/usage-hooks.ts';
import { withChange } from '../../prices/price-change.ts';
import { priceBookOf } from '../../pricing/price-book.ts';
import { pageRead } from '../hit.ts';
import { factor } from './parameters.ts';

/** Pages of records that skip, repeat or never end. */
export const WRONG_PAGE_FAULTS: readonly FaultDefinition[] = [
  pageFault(
    'bill.cursor_skip',
    'A page after the first leaves out the record at its start.',
    (right, read) => (read.later && right.records.length > 0 ? sliceFrom(read, read.from + 1) : null),
  ),
  pageFault(
    'bill.cursor_repeat',
    'A page after the first begins with the last record of the page before it.',
    (right, read) =>
      // A page of one record would be the same one for ever.
      read.later && read.from > 0 && read.limit > 1 && right.records.length > 0
        ? sliceFrom(read, read.from - 1)
        : null,
  ),
  pageFault(
    'bill.cursor_loop',
    'The cursor of a page after the first leads to the same page again, endlessly.',
    (right, read) => (read.later && read.from > 0 ? { ...right, next: read.from } : null),
  ),
  pageFault(
    'bill.cursor_unstable',
    'Records change places between pages: one is served twice, and one that should follow it never.',
    (right, { all, from, limit, later }) => {
      const before = all[from - 1];
      if (!later || before === undefined || limit < 2 || right.records.length < limit) return null;
      return { records: [before, ...right.records.slice(0, -1)], next: right.next };
    },
  ),
  defineFault({
    id: 'bill.cursor_has_more_lie',
    summary: 'A page says that it is the last while there are more, or promises more where there are none.',
    charge: 'none',
    shape: {
      variant: z.enum(['ends_early', 'promises_more']).default('ends_early').describe('Which of the two.'),
    },
    applies: pageRead,
    arm: ({ variant }, { fire }) => ({
      slice: firing(fire, (right, { all }) => {
        const more = right.next !== null;
        if (more !== (variant === 'ends_early') || right.records.length === 0) return null;
        return { ...right, next: more ? null : all.length };
      }),
    }),
  }),
];

function pageFault(
  id: string,
  summary: string,
  wrong: (right: PageSlice, read: SlicedRead) => PageSlice | null,
): FaultDefinition {
  return plainFault({
    id,
    summary,
    charge: 'none',
    applies: pageRead,
    arm: ({ fire }) => ({
      slice: firing(fire, wrong),
    }),
  });
}

function sliceFrom({ all, limit }: SlicedRead, from: number): PageSlice {
  const to = from + limit;
  return { records: all.slice(from, to), next: to < all.length ? to : null };
}

/** Faults of the account read and of the price book as it is served; charges stay right. */
export const WRONG_FIGURE_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.quota_drift',
    summary: 'The account read reports another consumption than the sum of the records.',
    charge: 'none',
    shape: { factor: factor('1.1').describe('By which the used quota is multiplied.') },
    applies: ({ endpoint }) => endpoint === '/api/user/self',
    arm: ({ factor: by }, { fire }) => ({
      account(figures) {
        const { digits, scale } = parseDecimal(by) ?? { digits: 1n, scale: 0 };
        const used_quota = Number((BigInt(figures.used_quota) * digits) / 10n ** BigInt(scale));
        if (used_quota === figures.used_quota) return null;
        fire();
        return { ...figures, used_quota };
      },
    }),
  }),
  defineFault({
    id: 'bill.book_incoherent',
    summary:
      'The price book leaves out a model that is served and charged, or tells other prices under the same version.',
    charge: 'none',
    shape: {
      variant: z
        .enum(['unpriced', 'silent_change'])
        .default('unpriced')
        .describe('A model is missing; all prices are multiplied by the factor.'),
      model: z
        .string()
        .min(1)
        .max(191)
        .default('aspen-mini')
        .describe('Used by unpriced: id of the model that is missing.'),
      factor: factor('1.1').describe('Used by silent_change.'),
    },
    applies: ({ endpoint }) => endpoint === '/pricing.usd.json',
    arm: ({ variant, model, factor: by }, { fire }) => ({
      book(right) {
        const models =
          variant === 'unpriced'
            ? right.models.filter(({ id }) => id !== model)
            : withChange(right.models, { factor: by });
        const { models: served } = priceBookOf(models);
        if (JSON.stringify(served) === JSON.stringify(right.book.models)) return null;
        fire();
        return { models, book: { ...right.book, models: served } };
      },
    }),
  }),
];
