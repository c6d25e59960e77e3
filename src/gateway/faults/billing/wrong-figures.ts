import * as z from 'zod';
import { parseDecimal } from '../../../core/decimal.ts';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { withChange } from '../../prices/price-change.ts';
import { priceBookOf } from '../../pricing/price-book.ts';
import { factor } from './parameters.ts';

/** Faults of the account read and of the price book as it is served; charges stay right. */
export const WRONG_FIGURE_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.quota_drift',
    summary: 'The account read tells another consumption than the records sum up to.',
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
