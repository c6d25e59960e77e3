import type { Finding } from '../contracts/finding.ts';
import type { Warrant } from '../contracts/warrant.ts';
import { formatTrimmed } from '../core/decimal.ts';
import { makeFinding } from '../reconcile/judge/make-finding.ts';
import { declaration, habit } from '../reconcile/judge/warrants.ts';
import { plural } from '../text/plural.ts';
import { bucketText } from './read/bill-moment.ts';
import type { WeighedBill, WeighedBucket } from './weigh/weigh-bill.ts';

/** A model with more such buckets is one finding. */
const MOST_APART = 20;

const SCOPE = 'the bill is of these calls alone';

/** What a weighed bill accuses; empty where nothing says that it is of these calls. */
export function billFindings(weighed: WeighedBill): readonly Finding[] {
  const warrant = warrantOf(weighed);
  if (warrant === null) return [];
  const wrong = weighed.buckets.filter(({ over, under }) => over !== 0n || under !== 0n);
  const sides = Map.groupBy(wrong, ({ model, over }) => `${over > 0n ? 'over' : 'under'} ${model}`);
  return [...sides.values()].flatMap((buckets) =>
    buckets.length > MOST_APART
      ? [findingOf(weighed, buckets, warrant)]
      : buckets.map((bucket) => findingOf(weighed, [bucket], warrant)),
  );
}

function warrantOf({ scope, telling, exceptions }: WeighedBill): Warrant | null {
  if (scope === 'declared') return declaration(`--bill-whole: ${SCOPE}`);
  return scope === 'habit'
    ? habit(`each bucket is the sum of its calls: ${SCOPE}`, { telling, exceptions })
    : null;
}

function findingOf(weighed: WeighedBill, buckets: readonly WeighedBucket[], warrant: Warrant): Finding {
  const { scale, bill, quantum, reading } = weighed;
  const [first] = buckets;
  const sum = (of: (bucket: WeighedBucket) => bigint): bigint =>
    buckets.reduce((total, bucket) => total + of(bucket), 0n);
  const isOver = (first?.over ?? 0n) > 0n;
  const certain = sum(({ over, under }) => over - under);
  const most = certain < 0n ? certain : sum(({ billed, ours }) => billed - ours) + quantum;
  const least =
    certain > 0n ? certain : sum(({ billed, ours_most, ours }) => billed - (ours_most ?? ours)) - quantum;
  const when = buckets.map(({ start }) => bucketText(start));
  const money = (units: bigint): string => moneyText(units, scale, bill.unit);
  return makeFinding({
    class: 'bill_disagrees',
    rule: `bucket_${isOver ? 'over' : 'under'}`,
    severity: isOver ? 'S1' : 'S2',
    confidence: 'bounded',
    warrant,
    direction: isOver ? 'over' : 'under',
    delta: bill.unit === 'USD' ? { min: picoDown(least, scale), max: -picoDown(-most, scale) } : null,
    bridge: 'none',
    rows: buckets.length,
    evidence: buckets.map(({ model, start }) => `bucket:${model}:${bucketText(start)}`),
    model: first?.model ?? null,
    explanation: `The bill charges ${money(sum(({ billed }) => billed))} for ${first?.model ?? ''} ${
      buckets.length === 1 ? `on ${when[0]}` : `in ${plural(buckets.length, 'bucket')} from ${when[0]}`
    } (${reading.zone.name}); the calls begun then come to ${money(sum(({ ours }) => ours))}. It is ${
      isOver ? 'too much' : 'too little'
    } by at least ${money(certain < 0n ? -certain : certain)}, whatever was late or rounded.`,
    next_step:
      'Ask the biller for the calls behind this bucket; the rows of these calls stand in the folder.',
  });
}

function moneyText(units: bigint, scale: number, unit: 'USD' | 'tokens'): string {
  const text = formatTrimmed({ digits: units, scale });
  return unit === 'tokens'
    ? `${text} ${text === '1' ? 'token' : 'tokens'}`
    : text.startsWith('-')
      ? `-$${text.slice(1)}`
      : `$${text}`;
}

/** In pico USD, towards less where the bill has more digits. */
function picoDown(units: bigint, scale: number): bigint {
  const factor = 10n ** BigInt(scale - 12);
  const rest = ((units % factor) + factor) % factor;
  return (units - rest) / factor;
}
