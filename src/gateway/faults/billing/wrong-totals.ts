import * as z from 'zod';
import { formatAmount, parseAmount } from '../../../core/amount.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { amountParameter, usdParameter } from './parameters.ts';
import { SECONDS_PER_HOUR, totalsRead } from './read-subject.ts';

export const billTotalsDrift = defineFault({
  id: 'bill.totals_drift',
  summary: 'Totals differ from the records, or from their own parts; fires only where there are records.',
  charge: 'none',
  shape: {
    variant: z
      .enum(['settled', 'records', 'by_model', 'daily', 'local_day', 'unknown_records'])
      .default('settled')
      .describe(
        'The settled sum; the count of records; the settled sum of one model or of one day; days cut at local midnight; the count of unknown records.',
      ),
    usd: usdParameter('0.01').describe('By how much a sum is too large.'),
    offset_hours: z
      .int()
      .min(-14)
      .max(14)
      .default(9)
      .describe(
        'Used by local_day: how far local time is ahead of UTC; it fires only where a day changes by it.',
      ),
  },
  applies: totalsRead,
  arm: ({ variant, usd: text, offset_hours }, { fire }) => ({
    totals(totals, { records, daily }) {
      if (records.length === 0) return null;
      const more = (sum: string): string => formatAmount((parseAmount(sum) ?? 0n) + amountParameter(text));
      const firstMore = <P extends { readonly settled_amount: string }>(parts: readonly P[]): P[] =>
        parts.map((part, index) =>
          index === 0 ? { ...part, settled_amount: more(part.settled_amount) } : part,
        );
      switch (variant) {
        case 'settled':
          fire();
          return { ...totals, settled_amount: more(totals.settled_amount) };
        case 'records':
          fire();
          return { ...totals, records: totals.records + 1 };
        case 'unknown_records':
          fire();
          return { ...totals, unknown_records: totals.unknown_records + 1 };
        case 'by_model':
          fire();
          return { ...totals, by_model: firstMore(totals.by_model) };
        case 'daily':
          fire();
          return { ...totals, daily: firstMore(totals.daily) };
        case 'local_day': {
          const shifted = daily(offset_hours * SECONDS_PER_HOUR);
          if (JSON.stringify(shifted) === JSON.stringify(totals.daily)) return null;
          fire();
          return { ...totals, daily: shifted };
        }
      }
    },
  }),
});
