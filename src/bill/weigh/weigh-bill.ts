import { parseDecimal } from '../../core/decimal.ts';
import { isHabit } from '../../reconcile/records/habit.ts';
import type { Bill, BillSpan } from '../read/bill.ts';
import type { BillLine } from '../read/bill-line.ts';
import { groupBill } from './bill-groups.ts';
import { type ReadingTerms, type ReadRun, readBuckets } from './bill-reading.ts';
import type { ChargeRow } from './charge-row.ts';
import { type ChosenReading, chooseReading } from './choose-reading.ts';
import type { SumBounds } from './span-sum.ts';

/** What is told of a bill beside its rows. */
export interface BillTerms {
  /** Zone of its days; null: as the bill tells, or as its sums show. */
  readonly zone: string | null;
  /** The most by which a charge may be late, seconds. */
  readonly most_late_s: number;
  /** True where the bill is said to be of these calls, and of nothing else. */
  readonly whole: boolean;
  /** In which all calls are known, seconds UTC. */
  readonly covered: BillSpan;
}

/** Why a bill may be held against these calls. `habit`: so many of its buckets are their sums that it is of them alone. */
type BillScope = 'declared' | 'habit' | 'untold';

export const BUCKET_VERDICTS = ['agrees', 'over', 'under', 'cant_be_told'] as const;

/** A bucket, weighed; figures in units of 10^−`scale` of the bill. billed = ours + over − under + open. */
export interface WeighedBucket extends BillSpan {
  readonly model: string;
  readonly billed: bigint;
  readonly requests: bigint | null;
  /** The least that the charges begun in it come to. */
  readonly ours: bigint;
  /** The most; null where nothing says so. */
  readonly ours_most: bigint | null;
  /** Billed too much, and too little: at least. */
  readonly over: bigint;
  readonly under: bigint;
  /** What is billed beside it: late or rounded, or of charges that nobody knows. */
  readonly open: bigint;
  readonly verdict: (typeof BUCKET_VERDICTS)[number];
  readonly why: string;
}

export interface WeighedBill extends ChosenReading {
  readonly bill: Bill;
  readonly scale: number;
  /** To what each amount is rounded, in units of the scale; 0 for tokens. */
  readonly quantum: bigint;
  readonly scope: BillScope;
  /** Buckets that could show a difference, and those that do. */
  readonly telling: number;
  readonly exceptions: number;
  /** Ends of buckets over which late charges pass. */
  readonly late_edges: number;
  readonly buckets: readonly WeighedBucket[];
  readonly unassigned: readonly BillLine[];
}

/** Bounds wider than this share of a bucket show no error of 1 %. */
const WIDE_SHARE = 100n;

/** Cents, where a bill shows no more digits than whole dollars. */
const LEAST_DECIMALS = 2;

/** Holds the buckets of a bill against charges, by model and span. Pure: the same input gives the same verdict. */
export function weighBill(bill: Bill, rows: readonly ChargeRow[], terms: BillTerms): WeighedBill {
  const { groups, scale, unassigned } = groupBill(bill, rows, terms.whole);
  const quantum = quantumOf(bill, scale);
  const { most_late_s } = terms;
  const shared: ReadingTerms = { quantum, most_late_s, covered: terms.whole ? null : terms.covered };
  const chosen = chooseReading(groups, shared, { declared: terms.zone, told: bill.mapping.zone ?? null });
  const read = chosen.fitting.map(
    (zone) => readBuckets(groups, { ...chosen.reading, zone }, shared)?.runs ?? [],
  );
  const [own = [], ...others] = read.map((runs) => runs.flatMap(bucketsOf));
  const found = own.map((bucket, index) =>
    inAll(
      bucket,
      others.map((each) => each[index]?.error ?? 0n),
    ),
  );
  const telling = found.filter(isTelling);
  const exceptions = telling.filter(({ error }) => error !== 0n).length;
  const count = { telling: telling.length, exceptions };
  const scope: BillScope = terms.whole ? 'declared' : isHabit(count) ? 'habit' : 'untold';
  return {
    ...chosen,
    bill,
    scale,
    quantum,
    scope,
    ...count,
    late_edges: (read[0] ?? []).reduce((sum, { explained }) => sum + explained.late.length, 0),
    buckets: found.map((bucket) => judged(bucket, scope)),
    unassigned,
  };
}

interface FoundBucket {
  readonly model: string;
  readonly bucket: ReadRun['buckets'][number];
  readonly begun: SumBounds;
  /** Billed too much (positive) or too little, at least. */
  readonly error: bigint;
  /** True where the zones that fit do not all show the difference. */
  readonly byZone: boolean;
}

function bucketsOf({ group, buckets, begun, explained }: ReadRun): readonly FoundBucket[] {
  const errors = new Map(explained.errors.map(({ bucket, over }) => [bucket, over]));
  return buckets.map((bucket, index) => ({
    model: group.model,
    bucket,
    begun: begun[index] ?? { lo: 0n, hi: null },
    error: errors.get(index) ?? 0n,
    byZone: false,
  }));
}

/** What holds in every zone that fits. */
function inAll(bucket: FoundBucket, others: readonly bigint[]): FoundBucket {
  const all = [bucket.error, ...others];
  if (all.every((error) => error > 0n)) return { ...bucket, error: all.reduce((a, b) => (a < b ? a : b)) };
  if (all.every((error) => error < 0n)) return { ...bucket, error: all.reduce((a, b) => (a > b ? a : b)) };
  return { ...bucket, error: 0n, byZone: all.some((error) => error !== 0n) };
}

function isTelling({ bucket: { billed }, begun: { lo, hi } }: FoundBucket): boolean {
  return hi !== null && billed > 0n && hi > 0n && (hi - lo) * WIDE_SHARE <= hi;
}

function judged({ model, bucket, begun, error, byZone }: FoundBucket, scope: BillScope): WeighedBucket {
  const { start, end, billed, requests } = bucket;
  const told = scope !== 'untold';
  const over = told && error > 0n ? error : 0n;
  const under = told && error < 0n ? -error : 0n;
  return {
    model,
    start,
    end,
    billed,
    requests,
    ours: begun.lo,
    ours_most: begun.hi,
    over,
    under,
    open: billed - begun.lo - over + under,
    ...verdictOf({ billed, begun, error, byZone, told }),
  };
}

function verdictOf(of: {
  readonly billed: bigint;
  readonly begun: SumBounds;
  readonly error: bigint;
  readonly byZone: boolean;
  readonly told: boolean;
}): Pick<WeighedBucket, 'verdict' | 'why'> {
  const { billed, begun, error, byZone, told } = of;
  const open = (why: string) => ({ verdict: 'cant_be_told', why }) as const;
  if (error !== 0n && !told) return open('nothing says that the bill is of these calls alone');
  if (error > 0n) return { verdict: 'over', why: 'more is billed than all that can be due' };
  if (error < 0n) return { verdict: 'under', why: 'less is billed than what is due at least' };
  if (byZone) return open('it depends on the zone of its days');
  if (begun.hi === null) return open('not every charge in it is known');
  const most = begun.hi > billed ? begun.hi : billed;
  if ((begun.hi - begun.lo) * WIDE_SHARE > most) return open('its bounds are wider than 1 %');
  return { verdict: 'agrees', why: '' };
}

function quantumOf({ mapping, lines, unit }: Bill, scale: number): bigint {
  if (unit === 'tokens') return 0n;
  const declared = mapping.quantum === undefined ? null : parseDecimal(mapping.quantum);
  if (declared !== null && declared.scale < scale)
    return declared.digits * 10n ** BigInt(scale - declared.scale);
  const decimals = Math.max(LEAST_DECIMALS, ...lines.map(({ amount }) => amount?.scale ?? 0));
  return 10n ** BigInt(scale - decimals);
}
