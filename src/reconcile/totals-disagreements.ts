import type { UsageTotalsLine } from '../core/usage-lines.ts';
import type { ServedRecord } from './served-record.ts';
import {
  FIGURES,
  type Figure,
  type Figures,
  NO_FIGURES,
  type SumReading,
  servedTotals,
  sumFigures,
  sumRecords,
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

const READINGS: readonly SumReading[] = (['amount', 'amount_less_refunded'] as const).flatMap((settled) =>
  (['reserved', 'amount'] as const).flatMap((pending) =>
    (['all', 'refunded_only'] as const).map((refunded) => ({ settled, pending, refunded })),
  ),
);
const DEFAULT_READING: SumReading = { settled: 'amount', pending: 'reserved', refunded: 'all' };

/** Compares the totals of one sweep with its records and with their own parts. */
export function compareTotals(
  lines: readonly UsageTotalsLine[],
  records: readonly ServedRecord[],
): ComparedTotals {
  const totals = lines.length === 0 ? null : servedTotals(lines);
  if (totals === null) return { totals: null, reading: DEFAULT_READING, disagreements: [] };
  const reading = fittingReading(totals.total, records);
  const sums = sumRecords(records, reading);
  const whole = difference('records', null, totals.total, sums.total);
  const wrong = new Set(whole.map(({ figure }) => figure));
  const models = difference('by_model', null, totals.total, sumFigures(totals.by_model.values()));
  const days = difference('daily', null, totals.total, sumFigures(totals.daily.values()));
  return {
    totals,
    reading,
    disagreements: [
      ...whole,
      ...models,
      ...days,
      ...leaves('model_records', totals.by_model, sums.by_model, wrong, models),
      ...leaves('day_records', totals.daily, sums.daily, wrong, days),
    ],
  };
}

/** The first reading of the sums under which most figures agree. */
function fittingReading(total: Figures, records: readonly ServedRecord[]): SumReading {
  let best = DEFAULT_READING;
  let fewest = Number.POSITIVE_INFINITY;
  for (const reading of READINGS) {
    const wrong = difference('records', null, total, sumRecords(records, reading).total).length;
    if (wrong < fewest) {
      best = reading;
      fewest = wrong;
    }
  }
  return best;
}

/** Leaves are compared only where the whole agrees: else one fault would be told many times. */
function leaves(
  against: Disagreement['against'],
  told: ReadonlyMap<string, Figures>,
  summed: ReadonlyMap<string, Figures>,
  wrong: ReadonlySet<Figure>,
  partition: readonly Disagreement[],
): readonly Disagreement[] {
  const names = [...new Set([...told.keys(), ...summed.keys()])].sort();
  const skipped = new Set([...wrong, ...partition.map(({ figure }) => figure)]);
  return names.flatMap((name) =>
    difference(against, name, told.get(name) ?? NO_FIGURES, summed.get(name) ?? NO_FIGURES).filter(
      ({ figure }) => !skipped.has(figure),
    ),
  );
}

function difference(
  against: Disagreement['against'],
  of: string | null,
  totals: Figures,
  sum: Figures,
): readonly Disagreement[] {
  return FIGURES.flatMap((figure) => {
    const left = totals[figure];
    const right = sum[figure];
    return left === null || right === null || left === right
      ? []
      : [{ against, figure, of, totals: left, sum: right }];
  });
}
