import type { UsageTotalsLine } from '../../contracts/usage-lines.ts';
import type { ServedRecord } from './served-record.ts';
import {
  FIGURES,
  type Figure,
  NO_FIGURES,
  type SummedRecords,
  type SumReading,
  servedTotals,
  sumFigures,
  sumRecords,
  type TotalFigures,
  type TotalsFigures,
} from './served-totals.ts';

/** One figure of the totals that another sum contradicts. */
export interface Disagreement {
  readonly against: 'records' | 'by_model' | 'daily' | 'model_records' | 'day_records';
  readonly figure: Figure;
  /** The model or day; null for the whole period. */
  readonly of: string | null;
  readonly totals: bigint;
  readonly sum: bigint;
}

export interface ComparedTotals {
  readonly totals: TotalsFigures | null;
  readonly reading: SumReading;
  readonly disagreements: readonly Disagreement[];
}

const SETTLED = [
  'amount',
  'amount_less_refunded',
  'amount_and_refunded',
  'final_amount',
  'final_less_refunded',
  'final_and_refunded',
] as const;
const READINGS: readonly SumReading[] = SETTLED.flatMap((settled) =>
  (['reserved', 'amount'] as const).flatMap((pending) =>
    (['all', 'refunded_only'] as const).map((refunded) => ({ settled, pending, refunded })),
  ),
);
const DEFAULT_READING: SumReading = { settled: 'amount', pending: 'reserved', refunded: 'all' };

/** Compares the totals of one sweep with its records (those that were summed already, too) and with their own parts. */
export function compareTotals(
  lines: readonly UsageTotalsLine[],
  records: readonly ServedRecord[],
  summed: readonly SummedRecords[] = [],
): ComparedTotals {
  const all = { records, summed };
  const totals = lines.length === 0 ? null : servedTotals(lines);
  if (totals === null) return { totals: null, reading: DEFAULT_READING, disagreements: [] };
  const reading = fittingReading(totals.total, all);
  const low = sumRecords(all, reading, 'lo');
  const high = sumRecords(all, reading, 'hi');
  const whole = difference('records', null, totals.total, low.total, high.total);
  const wrong = new Set(whole.map(({ figure }) => figure));
  const models = partition('by_model', totals.total, totals.by_model);
  const days = partition('daily', totals.total, totals.daily);
  return {
    totals,
    reading,
    disagreements: [
      ...whole,
      ...models,
      ...days,
      ...leaves('model_records', totals.by_model, low.by_model, high.by_model, wrong, models),
      ...leaves('day_records', totals.daily, low.daily, high.daily, wrong, days),
    ],
  };
}

/** The first reading of the sums under which most figures agree. */
function fittingReading(total: TotalFigures, all: Parameters<typeof sumRecords>[0]): SumReading {
  let best = DEFAULT_READING;
  let fewest = Number.POSITIVE_INFINITY;
  for (const reading of READINGS) {
    const wrong = difference(
      'records',
      null,
      total,
      sumRecords(all, reading, 'lo').total,
      sumRecords(all, reading, 'hi').total,
    ).length;
    if (wrong < fewest) {
      best = reading;
      fewest = wrong;
    }
  }
  return best;
}

function partition(
  against: 'by_model' | 'daily',
  total: TotalFigures,
  parts: ReadonlyMap<string, TotalFigures> | null,
): readonly Disagreement[] {
  if (parts === null) return [];
  const sum = sumFigures(parts.values());
  return difference(against, null, total, sum, sum);
}

/** Leaves are compared only where the whole agrees: else one fault would be told many times. */
function leaves(
  against: Disagreement['against'],
  told: ReadonlyMap<string, TotalFigures> | null,
  low: ReadonlyMap<string, TotalFigures>,
  high: ReadonlyMap<string, TotalFigures>,
  wrong: ReadonlySet<Figure>,
  partition: readonly Disagreement[],
): readonly Disagreement[] {
  if (told === null) return [];
  const names = [...new Set([...told.keys(), ...low.keys()])].sort();
  const skipped = new Set([...wrong, ...partition.map(({ figure }) => figure)]);
  return names.flatMap((name) =>
    difference(
      against,
      name,
      told.get(name) ?? NO_FIGURES,
      low.get(name) ?? NO_FIGURES,
      high.get(name) ?? NO_FIGURES,
    ).filter(({ figure }) => !skipped.has(figure)),
  );
}

function difference(
  against: Disagreement['against'],
  of: string | null,
  totals: TotalFigures,
  low: TotalFigures,
  high: TotalFigures,
): readonly Disagreement[] {
  return FIGURES.flatMap((figure) => {
    const left = totals[figure];
    const least = low[figure];
    const most = high[figure];
    if (left === null || least === null || most === null || (left >= least && left <= most)) return [];
    return [{ against, figure, of, totals: left, sum: left < least ? least : most }];
  });
}
