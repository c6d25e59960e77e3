import type { Decimal } from '../../core/decimal.ts';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { JsonObject } from '../../wire/json-fields.ts';
import { memberAt, RuledRow } from '../../wire/ruled-row.ts';
import type { BillMapping, BillRule } from './bill-mapping.ts';
import { billSecond } from './bill-moment.ts';
import { type BillPlace, billCorrupt } from './bill-problem.ts';

/** A row of a bill as it was found. */
export interface BillRowFound {
  readonly place: BillPlace;
  readonly row: JsonObject;
}

/** One row of a bill. Moments are seconds as if its zone were UTC. */
export interface BillLine {
  readonly place: BillPlace;
  readonly start: number;
  readonly end: number;
  /** Null for what is of no model: a tax, a fee, a search. */
  readonly model: string | null;
  /** USD; null where the bill tells no money. */
  readonly amount: Decimal | null;
  readonly currency: string;
  readonly tokens: bigint | null;
  readonly requests: bigint | null;
  /** What it is for, by the words of the bill. */
  readonly item: string;
  /** The same for two rows of which one is given twice. */
  readonly key: string;
}

/** Reads one row by the first kind of the mapping that takes it. Throws `bill_corrupt` with file and row. */
export function billLine(found: BillRowFound, mapping: BillMapping): BillLine {
  const { place, row } = found;
  const reader = new LineReader(found);
  const kind = reader.kind(mapping.kinds);
  if (typeof kind === 'string')
    throw billCorrupt(place, `expected a row that the mapping ${mapping.name} takes, found ${kind}`);
  const { bucket } = kind;
  const start = reader.second('start', bucket.start);
  const width = mapping.width === 'hour' ? 3_600 : SECONDS_PER_DAY;
  const end = bucket.end === undefined ? start + width : reader.second('end', bucket.end);
  if (end <= start) throw billCorrupt(place, 'expected a bucket that ends after its start, found another');
  const model = bucket.model === undefined ? '' : reader.text('model', bucket.model);
  return {
    place,
    start,
    end,
    model: model === '' ? null : model,
    amount: bucket.amount === undefined ? null : reader.number('amount', bucket.amount),
    currency: bucket.currency === undefined ? 'USD' : reader.text('currency', bucket.currency).toUpperCase(),
    tokens: bucket.tokens === undefined ? null : reader.count('tokens', bucket.tokens),
    requests: bucket.requests === undefined ? null : reader.count('requests', bucket.requests),
    item: bucket.item === undefined ? '' : reader.text('item', bucket.item),
    key: JSON.stringify(mapping.key === undefined ? row : mapping.key.map((path) => memberAt(row, path))),
  };
}

class LineReader extends RuledRow {
  readonly #place: BillPlace;

  constructor({ place, row }: BillRowFound) {
    super((path) => memberAt(row, path), {
      corrupt: (found) => billCorrupt(place, found),
      shown: (json) => json.slice(0, MOST_SHOWN),
    });
    this.#place = place;
  }

  text(name: string, rule: BillRule): string {
    const text = String(this.value(name, rule)).trim();
    const end = rule.before === undefined ? -1 : text.indexOf(rule.before);
    return end === -1 ? text : text.slice(0, end);
  }

  second(name: string, rule: BillRule): number {
    const text = String(this.value(name, rule));
    const form = rule.form ?? 'day';
    const second = billSecond(text, form);
    if (second !== null) return second;
    const shown = JSON.stringify(text).slice(0, MOST_SHOWN);
    throw billCorrupt(this.#place, `${name}: expected a moment (${form}), found ${shown}`);
  }

  count(name: string, rule: BillRule): bigint {
    const { digits, scale } = this.number(name, rule);
    const unit = 10n ** BigInt(scale);
    if (digits >= 0n && digits % unit === 0n) return digits / unit;
    throw billCorrupt(this.#place, `${name}: expected a whole number, found another`);
  }
}

const MOST_SHOWN = 80;
