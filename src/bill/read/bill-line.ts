import {
  addDecimal,
  type Decimal,
  multiplyDecimal,
  parseDecimal,
  parseNumberText,
} from '../../core/decimal.ts';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import { asObject, type JsonObject } from '../../wire/json-fields.ts';
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
export function billLine({ place, row }: BillRowFound, mapping: BillMapping): BillLine {
  const reader = new LineReader(row, place);
  const kind = mapping.kinds.find(({ take }) => reader.fits(take ?? {}));
  if (kind === undefined) {
    const asked = [...new Set(mapping.kinds.flatMap(({ take }) => Object.keys(take ?? {})))];
    const found = asked.map((path) => `${path} ${JSON.stringify(reader.at(path))}`).join(', ');
    throw billCorrupt(place, `expected a row that the mapping ${mapping.name} takes, found ${found}`);
  }
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
    key: JSON.stringify(mapping.key === undefined ? row : mapping.key.map((path) => reader.at(path))),
  };
}

class LineReader {
  readonly #row: JsonObject;
  readonly #place: BillPlace;

  constructor(row: JsonObject, place: BillPlace) {
    this.#row = row;
    this.#place = place;
  }

  fits(take: Readonly<Record<string, readonly unknown[]>>): boolean {
    return Object.entries(take).every(([path, values]) =>
      values.some((value) => String(value) === String(this.at(path) ?? '')),
    );
  }

  at(path: string): unknown {
    return memberAt(this.#row, path);
  }

  text(name: string, rule: BillRule): string {
    const text = String(this.#source(name, rule)).trim();
    const end = rule.before === undefined ? -1 : text.indexOf(rule.before);
    return end === -1 ? text : text.slice(0, end);
  }

  second(name: string, rule: BillRule): number {
    const text = String(this.#source(name, rule));
    const form = rule.form ?? 'day';
    const second = billSecond(text, form);
    if (second !== null) return second;
    throw billCorrupt(this.#place, `${name}: expected a moment (${form}), found ${shown(text)}`);
  }

  number(name: string, rule: BillRule): Decimal {
    const number =
      rule.sum === undefined ? this.#number(name, this.#source(name, rule)) : this.#sum(name, rule);
    const factor = rule.times === undefined ? null : parseDecimal(rule.times);
    return factor === null ? number : multiplyDecimal(number, factor);
  }

  count(name: string, rule: BillRule): bigint {
    const { digits, scale } = this.number(name, rule);
    const unit = 10n ** BigInt(scale);
    if (digits >= 0n && digits % unit === 0n) return digits / unit;
    throw billCorrupt(this.#place, `${name}: expected a whole number, found another`);
  }

  #sum(name: string, { sum = [], else: otherwise }: BillRule): Decimal {
    return sum
      .map((path) => {
        const held = this.at(path);
        return this.#number(name, held === null || held === '' ? (otherwise ?? '') : held);
      })
      .reduce(addDecimal);
  }

  #source(name: string, { from, value, values, else: otherwise }: BillRule): unknown {
    if (value !== undefined) return value;
    const paths = typeof from === 'string' ? [from] : (from ?? []);
    const held = paths.map((path) => this.at(path)).find((found) => found !== null && found !== '');
    if (held === undefined) {
      if (otherwise !== undefined) return otherwise;
      throw billCorrupt(
        this.#place,
        `${name}: expected ${paths.join(' or ')}, as the mapping says, found nothing there`,
      );
    }
    if (values === undefined) return held;
    const meant = values[String(held)];
    if (meant !== undefined) return meant;
    throw billCorrupt(
      this.#place,
      `${name}: expected one of ${Object.keys(values).join(', ')}, found ${shown(held)}`,
    );
  }

  #number(name: string, value: unknown): Decimal {
    const number = parseNumberText(String(value).trim());
    if (number !== null) return number;
    throw billCorrupt(this.#place, `${name}: expected a number, found ${shown(value)}`);
  }
}

/** Null where the row has nothing there; a column of a table may have dots in its name. */
export function memberAt(row: JsonObject, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path] ?? null;
  let held: unknown = row;
  for (const step of path.split('.')) {
    const object = asObject(held);
    if (object === null || !Object.hasOwn(object, step)) return null;
    held = object[step];
  }
  return held ?? null;
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'nothing';
}
