import type { BilledModel, BilledSpan, BucketBillResult } from '../contracts/bucket-bill.ts';
import { formatTrimmed } from '../core/decimal.ts';
import { bucketText } from './read/bill-moment.ts';
import { unitsOf } from './weigh/bill-groups.ts';
import type { BUCKET_VERDICTS, WeighedBill, WeighedBucket } from './weigh/weigh-bill.ts';

const MOST_DIFFERING = 200;
const MOST_ITEMS = 50;

/** A weighed bill as result.json has it. */
export function bucketBillResult(weighed: WeighedBill): BucketBillResult {
  const { bill, scale, reading, buckets, quantum, unassigned } = weighed;
  const text = (units: bigint): string => formatTrimmed({ digits: units, scale });
  const rest = unassigned.reduce((sum, line) => sum + unitsOf(line, scale), 0n);
  const totals = figuresOf(buckets);
  const differing = buckets
    .filter(({ verdict }) => verdict !== 'agrees')
    .toSorted((left, right) => compareSize(weightOf(right), weightOf(left)));
  return {
    unit: bill.unit,
    mapping: bill.mapping.name,
    rows: bill.lines.length,
    buckets: buckets.length,
    zone: {
      name: reading.zone.name,
      how: weighed.how,
      others: weighed.fitting.slice(1).map(({ name }) => name),
    },
    quantum: bill.unit === 'tokens' ? null : text(quantum),
    rounding: reading.rounding,
    late_s: weighed.late_edges === 0 ? 0 : reading.late_s,
    late_edges: weighed.late_edges,
    scope: weighed.scope,
    telling: weighed.telling,
    exceptions: weighed.exceptions,
    ...countsOf(buckets),
    money: { ...figureTexts({ ...totals, billed: totals.billed + rest }, scale), unassigned: text(rest) },
    unassigned: [
      ...Map.groupBy(unassigned, ({ model, item }) => (item === '' ? (model ?? 'not named') : item)),
    ]
      .map(([item, lines]) => ({
        item,
        rows: lines.length,
        units: lines.reduce((sum, line) => sum + unitsOf(line, scale), 0n),
      }))
      .toSorted((left, right) => compareSize(right.units, left.units))
      .slice(0, MOST_ITEMS)
      .map(({ item, rows, units }) => ({ item, rows, billed: text(units) })),
    by_model: [...Map.groupBy(buckets, ({ model }) => model)]
      .map(([model, own]) => ({ model, own, sums: figuresOf(own) }))
      .toSorted((left, right) => compareSize(right.sums.billed, left.sums.billed))
      .map(({ model, own, sums }): BilledModel => ({ model, ...countsOf(own), ...figureTexts(sums, scale) })),
    differing: differing.slice(0, MOST_DIFFERING).map((bucket) => billedSpan(bucket, scale)),
  };
}

/** One bucket in words. */
export function billedSpan(bucket: WeighedBucket, scale: number): BilledSpan {
  const { model, start, end, ours_most, verdict, why } = bucket;
  return {
    model,
    start: bucketText(start),
    end: bucketText(end),
    ...figureTexts(bucket, scale),
    ours_most: ours_most === null ? null : formatTrimmed({ digits: ours_most, scale }),
    verdict,
    why,
  };
}

type Figures = Pick<WeighedBucket, 'billed' | 'ours' | 'over' | 'under' | 'open'>;

function figuresOf(buckets: readonly Figures[]): Figures {
  const sum = (of: keyof Figures): bigint => buckets.reduce((total, bucket) => total + bucket[of], 0n);
  return {
    billed: sum('billed'),
    ours: sum('ours'),
    over: sum('over'),
    under: sum('under'),
    open: sum('open'),
  };
}

function figureTexts({ billed, ours, over, under, open }: Figures, scale: number) {
  const text = (digits: bigint): string => formatTrimmed({ digits, scale });
  return { billed: text(billed), ours: text(ours), over: text(over), under: text(under), open: text(open) };
}

function countsOf(buckets: readonly WeighedBucket[]) {
  const count = (of: (typeof BUCKET_VERDICTS)[number]): number =>
    buckets.filter(({ verdict }) => verdict === of).length;
  return {
    agrees: count('agrees'),
    over: count('over'),
    under: count('under'),
    cant_be_told: count('cant_be_told'),
  };
}

/** What hangs on a bucket: the certain difference, else what is not told of it. */
function weightOf({ over, under, open }: WeighedBucket): bigint {
  const certain = over + under;
  return certain !== 0n ? certain : open < 0n ? -open : open;
}

function compareSize(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
