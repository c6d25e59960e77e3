import { WeighbridgeError } from '../../contracts/failure.ts';
import { type BillLine, type BillRowFound, billLine } from './bill-line.ts';
import type { BillMapping } from './bill-mapping.ts';
import { bucketText } from './bill-moment.ts';
import { placeText } from './bill-problem.ts';

/** A span of time as a bill names it: seconds as if its zone were UTC, the end not inside. */
export interface BillSpan {
  readonly start: number;
  readonly end: number;
}

/** A bill that tells sums: its rows, checked against each other. */
export interface Bill {
  readonly mapping: BillMapping;
  readonly unit: 'USD' | 'tokens';
  /** Rows that are weighed, and those of no model. */
  readonly lines: readonly BillLine[];
  /** The spans that the bill is of, in order, each once: also those that it bills nothing for. */
  readonly spans: readonly BillSpan[];
  /** Why the bill is not whole; empty where nothing says so. */
  readonly torn: readonly string[];
}

/** What was found in the files of a bill. */
export interface FoundBill {
  readonly rows: readonly BillRowFound[];
  /** Rows whose list of results is empty: nothing was billed for that time. */
  readonly empty: readonly BillRowFound[];
  readonly torn: readonly string[];
}

/**
 * Reads the rows of a bill. Throws `bill_corrupt`, `bill_currency`, `bill_duplicate` and `bill_overlap` with file and row,
 * and `bill_empty` where there is none (exit 2): nothing is skipped.
 */
export function checkedBill({ rows, empty, torn }: FoundBill, mapping: BillMapping): Bill {
  const lines = rows.map((row) => billLine(row, mapping));
  const [first] = lines;
  if (first === undefined)
    throw new WeighbridgeError({
      code: 'bill_empty',
      message: 'expected a bill with at least one row, found none',
      hint: 'export the bill for a time in which something was called',
    });
  refuseForeign(lines);
  refuseTwice(lines);
  const spans = spansOf([...lines, ...emptySpans(empty, mapping)]);
  refuseOverlaps(lines);
  return { mapping, unit: first.amount === null ? 'tokens' : 'USD', lines, spans, torn };
}

function refuseForeign(lines: readonly BillLine[]): void {
  const foreign = lines.find(({ currency }) => currency !== 'USD');
  if (foreign === undefined) return;
  const others = lines.some(({ currency }) => currency === 'USD') ? ', and USD in other rows' : '';
  throw new WeighbridgeError({
    code: 'bill_currency',
    message: `${placeText(foreign.place)}: expected USD, found ${JSON.stringify(foreign.currency.slice(0, 20))}${others}`,
    hint: 'weigh the rows of one currency, in USD: amounts of two are never added',
  });
}

function refuseTwice(lines: readonly BillLine[]): void {
  const seen = new Map<string, BillLine>();
  for (const line of lines) {
    const before = seen.get(line.key);
    if (before !== undefined)
      throw new WeighbridgeError({
        code: 'bill_duplicate',
        message: `${placeText(line.place)}: expected each row once, found that of ${placeText(before.place)} again (${nameOf(line)})`,
        hint: 'give each part of the bill once; if both rows count, name with `key` in a mapping what tells them apart',
      });
    seen.set(line.key, line);
  }
}

function refuseOverlaps(lines: readonly BillLine[]): void {
  const byModel = Map.groupBy(
    lines.filter(({ model }) => model !== null),
    ({ model }) => model,
  );
  for (const own of byModel.values()) {
    const sorted = own.toSorted((left, right) => left.start - right.start || left.end - right.end);
    for (const [index, line] of sorted.entries()) {
      const before = sorted[index - 1];
      if (before === undefined || before.end <= line.start) continue;
      if (before.start === line.start && before.end === line.end) continue;
      throw new WeighbridgeError({
        code: 'bill_overlap',
        message: `${placeText(line.place)}: expected buckets side by side, found ${nameOf(line)} to overlap that of ${placeText(before.place)}`,
        hint: 'give buckets of one width: what two of them hold would be counted twice',
      });
    }
  }
}

function nameOf({ start, model, item }: BillLine): string {
  return [bucketText(start), model ?? item].filter((part) => part !== '').join(' ');
}

/** Empty rows have no amount, so that only their times are read. */
function emptySpans(empty: readonly BillRowFound[], mapping: BillMapping): readonly BillSpan[] {
  const times = mapping.kinds.map(({ bucket: { start, end } }) => ({
    bucket: { start, ...(end === undefined ? {} : { end }), tokens: { value: 0 } },
  }));
  return empty.map((row) => billLine(row, { ...mapping, kinds: times }));
}

/** Each span once, in order. */
function spansOf(all: readonly BillSpan[]): readonly BillSpan[] {
  const byKey = new Map(all.map(({ start, end }) => [`${start} ${end}`, { start, end }]));
  return [...byKey.values()].toSorted((left, right) => left.start - right.start || left.end - right.end);
}
