import * as z from 'zod';
import { formatAmount, parseAmount } from '../../../core/amount.ts';
import { SECONDS_PER_DAY } from '../../../core/time.ts';
import type { RecordSelection } from '../../charging/record-store.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import { defineFault, type FaultDefinition, firing, plainFault } from '../../hooks/fault-definition.ts';
import { pageRead, totalsRead, usageRead } from '../hit.ts';
import { amountParameter, usdParameter } from './parameters.ts';

const SECONDS_PER_HOUR = 3600;

/** Usage reads that see other records than they select; they fire only where that makes a difference. */
export const WRONG_SELECTION_FAULTS: readonly FaultDefinition[] = [
  defineFault({
    id: 'bill.window_edge',
    summary: 'A usage window takes in the second at its end, or leaves out the one at its start.',
    charge: 'none',
    shape: {
      variant: z.enum(['end_inclusive', 'start_exclusive']).default('end_inclusive').describe('Which edge.'),
      only_midnight: z
        .boolean()
        .default(false)
        .describe('Only edges at midnight UTC: windows of whole days have a record there twice, or never.'),
    },
    applies: usageRead,
    arm: ({ variant, only_midnight }, { fire }) => ({
      records(right, { selection, select }) {
        const { start, end } = selection;
        const edge = variant === 'end_inclusive' ? end : start;
        if (only_midnight && edge % SECONDS_PER_DAY !== 0) return null;
        const wrong =
          variant === 'end_inclusive'
            ? select({ ...selection, end: end + 1 })
            : right.filter(({ createdAt }) => createdAt !== start);
        return other(wrong, right, fire);
      },
    }),
  }),
  defineFault({
    id: 'bill.filter_mismatch',
    summary: 'A filter of a usage read also takes records that it should not.',
    charge: 'none',
    shape: {
      variant: z
        .enum(['model_prefix', 'request_id_ignored'])
        .default('model_prefix')
        .describe('Models whose id only begins with the filter; a request id is not looked at.'),
    },
    applies: usageRead,
    arm: ({ variant }, { fire }) => ({
      records(right, { selection, select }) {
        return other(select(wider(selection, variant)).filter(fits(selection, variant)), right, fire);
      },
    }),
  }),
  plainFault({
    id: 'bill.cursor_filter_lost',
    summary: 'Pages after the first no longer keep to the filters.',
    charge: 'none',
    applies: pageRead,
    arm: ({ fire }) => ({
      records(right, { selection, later, select }) {
        return later ? other(select({ ...selection, model: null, requestId: null }), right, fire) : null;
      },
    }),
  }),
];

type FilterVariant = 'model_prefix' | 'request_id_ignored';

function wider(selection: RecordSelection, variant: FilterVariant): RecordSelection {
  return variant === 'model_prefix' ? { ...selection, model: null } : { ...selection, requestId: null };
}

function fits({ model }: RecordSelection, variant: FilterVariant): (record: ChargeRecord) => boolean {
  return (record) => variant !== 'model_prefix' || model === null || record.model.startsWith(model);
}

/** What is seen instead; null, and nothing fired, where it is the same. */
function other(
  wrong: readonly ChargeRecord[],
  right: readonly ChargeRecord[],
  fire: () => void,
): readonly ChargeRecord[] | null {
  if (wrong.length === right.length && wrong.every(({ id }, at) => id === right[at]?.id)) return null;
  fire();
  return wrong;
}

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
    usd: usdParameter('0.01').describe('Amount by which a sum is too large.'),
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
    totals: firing(fire, (totals, { records, daily }) => {
      if (records.length === 0) return null;
      const more = (sum: string): string => formatAmount((parseAmount(sum) ?? 0n) + amountParameter(text));
      const firstMore = <P extends { readonly settled_amount: string }>(parts: readonly P[]): P[] =>
        parts.map((part, index) =>
          index === 0 ? { ...part, settled_amount: more(part.settled_amount) } : part,
        );
      switch (variant) {
        case 'settled':
          return { ...totals, settled_amount: more(totals.settled_amount) };
        case 'records':
          return { ...totals, records: totals.records + 1 };
        case 'unknown_records':
          return { ...totals, unknown_records: totals.unknown_records + 1 };
        case 'by_model':
          return { ...totals, by_model: firstMore(totals.by_model) };
        case 'daily':
          return { ...totals, daily: firstMore(totals.daily) };
        case 'local_day': {
          const shifted = daily(offset_hours * SECONDS_PER_HOUR);
          if (JSON.stringify(shifted) === JSON.stringify(totals.daily)) return null;
          return { ...totals, daily: shifted };
        }
      }
    }),
  }),
});
