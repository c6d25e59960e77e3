import type { LedgerProblem } from './ledger-problem.ts';
import type { HeaderPlace } from './one-run.ts';

/**
 * What is missing between the files of a run, told at the file beside the gap: a number that an instance's files skip,
 * a second file of the same number, and a part of the run that no execution segment covers or two do.
 */
export function ledgerGaps(places: readonly HeaderPlace[]): readonly LedgerProblem[] {
  const byInstance = Map.groupBy(places, ({ header }) => header.instance);
  const gaps = [...[...byInstance.values()].flatMap(fileGaps), ...segmentGaps(places)];
  return gaps.map((found) => ({ ...found, gap: true }));
}

type Gap = Omit<LedgerProblem, 'gap'>;

function fileGaps(places: readonly HeaderPlace[]): readonly Gap[] {
  const problems: Gap[] = [];
  let next = 0;
  for (const { file, line, header } of places.toSorted((a, b) => a.header.file - b.header.file)) {
    const name = `file ${header.file} of instance ${header.instance}`;
    if (header.file < next) {
      problems.push({ file, line, what: `a second, different ${name}: was it copied while it was written?` });
    } else if (header.file > next) {
      const missing = Array.from({ length: Math.min(header.file - next, MOST_NAMED) }, (_, i) => next + i);
      const more = header.file - next > MOST_NAMED ? ', …' : '';
      problems.push({ file, line, what: `${name} is here, but not ${missing.join(', ')}${more}` });
    }
    next = Math.max(next, header.file + 1);
  }
  return problems;
}

const MOST_NAMED = 5;

/** A number from 0 to 1 as k6 writes it: `1/4`, `0` or `1`. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

interface Segment {
  readonly place: HeaderPlace;
  readonly from: Fraction;
  readonly to: Fraction;
}

const WHOLE: Fraction = { over: 1n, under: 1n };

function segmentGaps(places: readonly HeaderPlace[]): readonly Gap[] {
  const segmented = places.filter(({ header }) => header.segment !== null);
  const segments = [...Map.groupBy(segmented, ({ header }) => header.segment ?? '').values()]
    .flatMap((same) => same.slice(0, 1))
    .flatMap(segmentOf)
    .sort((a, b) => compare(a.from, b.from));
  const problems: Gap[] = [];
  let covered: Fraction = { over: 0n, under: 1n };
  for (const { place, from, to } of segments) {
    const order = compare(from, covered);
    const what =
      order > 0
        ? `no file covers the part ${textOf(covered)}:${textOf(from)} of the run`
        : `the part ${textOf(from)}:${textOf(covered)} of the run is covered twice`;
    if (order !== 0) problems.push({ file: place.file, line: place.line, what });
    if (compare(to, covered) > 0) covered = to;
  }
  const last = segments.at(-1);
  if (last !== undefined && compare(covered, WHOLE) < 0) {
    const what = `no file covers the part ${textOf(covered)}:1 of the run`;
    problems.push({ file: last.place.file, line: last.place.line, what });
  }
  return problems;
}

function segmentOf(place: HeaderPlace): readonly Segment[] {
  const found = /^(\d+)(?:\/(\d+))?:(\d+)(?:\/(\d+))?$/.exec(place.header.segment ?? '');
  if (found === null) return [];
  const [, fromOver = '0', fromUnder = '1', toOver = '1', toUnder = '1'] = found;
  if (BigInt(fromUnder) === 0n || BigInt(toUnder) === 0n) return [];
  return [
    {
      place,
      from: { over: BigInt(fromOver), under: BigInt(fromUnder) },
      to: { over: BigInt(toOver), under: BigInt(toUnder) },
    },
  ];
}

function compare(a: Fraction, b: Fraction): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function textOf({ over, under }: Fraction): string {
  return under === 1n ? String(over) : `${over}/${under}`;
}
