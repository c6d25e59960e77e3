import type { BillGroup } from './bill-groups.ts';
import { type BillReading, type ReadingTerms, readBuckets } from './bill-reading.ts';
import { type BillZone, billZone, UTC, ZONES } from './bill-zone.ts';
import type { HowOftenLate } from './explain-sums.ts';

/** How the zone of a bill is known. */
type ZoneSource = 'declared' | 'told' | 'inferred' | 'several' | 'none_fits';

export interface ChosenReading {
  readonly reading: BillReading;
  readonly how: ZoneSource;
  /** Zones by which the bill may be read, the reading's own first: a difference counts where it holds in all of them. */
  readonly fitting: readonly BillZone[];
}

/** What is known of a bill's zone before its sums are looked at. */
export interface KnownZone {
  readonly declared: string | null;
  readonly told: string | null;
}

/** Delays that are tried, seconds: the shortest that explains as much as the longest counts. */
const DELAYS_S = [0, 300, 900, 3_600, 7_200, 14_400, 21_600, 28_800, 43_200];

/** A told zone is set aside only by so many contradictions, and by a zone that leaves at most 2 % of them. */
const LEAST_CONTRADICTIONS = 3;

interface ReadZone {
  readonly zone: BillZone;
  readonly cost: number;
  readonly errors: number;
}

/** How well a reading explains a bill; null where that costs more than `most`. */
type Tried = (reading: BillReading, most?: number) => TriedReading | null;

interface TriedReading {
  readonly cost: number;
  readonly errors: number;
  /** Ends of buckets over which late charges pass, of so many. */
  readonly late: number;
  readonly edges: number;
}

/** Tries each reading once, however often it is asked for. */
function trial(groups: readonly BillGroup[], terms: ReadingTerms): Tried {
  const known = new Map<string, TriedReading>();
  return (reading, most = Number.POSITIVE_INFINITY) => {
    const key = [reading.zone.name, reading.rounding, reading.late_s, reading.often].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before.cost > most ? null : before;
    const read = readBuckets(groups, reading, terms, most);
    if (read === null) return null;
    const { cost, errors, runs } = read;
    const late = runs.reduce((sum, { explained }) => sum + explained.late.length, 0);
    const tried = {
      cost,
      errors,
      late,
      edges: runs.reduce((sum, { buckets }) => sum + buckets.length + 1, 0),
    };
    known.set(key, tried);
    return tried;
  };
}

/**
 * Finds by which days, delay and rounding a bill is best read. A zone is inferred only where it explains strictly more than
 * all others; else all that fit count. A delay or a rounding is taken only where one that allows less explains less.
 */
export function chooseReading(
  groups: readonly BillGroup[],
  terms: ReadingTerms,
  known: KnownZone,
): ChosenReading {
  const buckets = groups.reduce((sum, group) => sum + group.buckets.length, 0);
  const tried = trial(groups, terms);
  const { most_late_s } = terms;
  const { fitting, how } = fittingZones(tried, most_late_s, known, buckets);
  const [zone = UTC] = fitting;
  const rounding = roundingOf(tried, most_late_s, zone);
  const often = oftenLate(tried, { zone, rounding, late_s: most_late_s, often: 'rarely' });
  const late_s = delayOf(tried, most_late_s, { zone, rounding, often });
  return { reading: { zone, rounding, often, late_s }, how, fitting };
}

function fittingZones(
  tried: Tried,
  most_late_s: number,
  { declared, told }: KnownZone,
  buckets: number,
): { readonly fitting: readonly BillZone[]; readonly how: ZoneSource } {
  if (declared !== null) return { fitting: [billZone(declared)], how: 'declared' };
  const first = told === null ? null : readZone(tried, most_late_s, billZone(told));
  if (first !== null && !isContradicted(first, buckets)) return { fitting: [first.zone], how: 'told' };
  const all = bestZones(tried, most_late_s, first);
  const [best] = all;
  if (best === undefined || best.errors * 2 > buckets)
    return { fitting: first === null ? ZONES : [first.zone], how: first === null ? 'none_fits' : 'told' };
  if (first !== null && isContradicted(best, buckets)) return { fitting: [first.zone], how: 'told' };
  const shortest = leastBy(all, ({ zone }) =>
    delayOf(tried, most_late_s, { zone, rounding: 'any', often: 'rarely' }),
  );
  return { fitting: shortest.map(({ zone }) => zone), how: shortest.length === 1 ? 'inferred' : 'several' };
}

/** The zones of the least cost, in their order. A zone that costs more is read no further than that shows. */
function bestZones(tried: Tried, most_late_s: number, first: ReadZone | null): readonly ReadZone[] {
  let best: readonly ReadZone[] = first === null ? [] : [first];
  for (const zone of ZONES) {
    if (zone.name === first?.zone.name) continue;
    const read = readZone(tried, most_late_s, zone, best[0]?.cost);
    if (read === null) continue;
    best = read.cost < (best[0]?.cost ?? Number.POSITIVE_INFINITY) ? [read] : [...best, read];
  }
  return best;
}

function readZone(tried: Tried, late_s: number, zone: BillZone, most?: number): ReadZone | null {
  const read = tried({ zone, rounding: 'any', late_s, often: 'rarely' }, most);
  return read === null ? null : { zone, cost: read.cost, errors: read.errors };
}

function isContradicted({ errors }: ReadZone, buckets: number): boolean {
  return errors >= LEAST_CONTRADICTIONS && errors * 50 > buckets;
}

/** To the nearest unless only another rule explains the sums, give or take what chance does. */
function roundingOf(tried: Tried, late_s: number, zone: BillZone): BillReading['rounding'] {
  const costOf = (rounding: BillReading['rounding']): number =>
    tried({ zone, rounding, late_s, often: 'rarely' })?.cost ?? 0;
  const most = costOf('any') * 1.1 + 6;
  return (['nearest', 'down', 'up'] as const).find((rounding) => costOf(rounding) <= most) ?? 'any';
}

/** Commonly where late charges pass over more than a tenth of the ends of buckets. */
function oftenLate(tried: Tried, reading: BillReading): HowOftenLate {
  const { late, edges } = tried(reading) ?? { late: 0, edges: 0 };
  return late * 10 > edges ? 'commonly' : 'rarely';
}

function delayOf(tried: Tried, most: number, reading: Omit<BillReading, 'late_s'>): number {
  const least = tried({ ...reading, late_s: most })?.cost ?? 0;
  const fits = (late_s: number): boolean => tried({ ...reading, late_s }, least) !== null;
  return DELAYS_S.find((late_s) => late_s < most && fits(late_s)) ?? most;
}

function leastBy<Item>(items: readonly Item[], measure: (item: Item) => number): readonly Item[] {
  const measured = items.map((item) => ({ item, by: measure(item) }));
  const least = Math.min(...measured.map(({ by }) => by));
  return measured.filter(({ by }) => by === least).map(({ item }) => item);
}
