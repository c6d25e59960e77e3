import { createHash } from 'node:crypto';
import { parseLosslessJson } from '../../client/lossless-json.ts';
import { behindNoise, formatAmount } from '../../core/amount.ts';
import { formatTrimmed } from '../../core/decimal.ts';
import { foreignInstant, instantOfCount } from '../../ledger/evidence/foreign-time.ts';
import { shownText } from '../../ledger/evidence/shown-text.ts';
import { asObject } from '../../wire/json-fields.ts';
import { memberAt, RuledRow } from '../../wire/ruled-row.ts';
import type { GroupRule, RecordMapping, RecordRule } from './record-mapping.ts';
import { type RecordPlace, recordField, recordsCorrupt } from './record-tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row as a usage record, or why it is left out. Nothing of the row but what the mapping names is kept. */
export type RowAsRecord = { readonly record: Row } | { readonly left: string };

/** Reads a row by the first kind of the mapping that takes it. Throws `records_corrupt` with file and line. */
export function mappedRow(
  row: Row,
  mapping: RecordMapping,
  place: RecordPlace,
  by: string | null = null,
): RowAsRecord {
  const reader = new RowReader(row, mapping.json_texts ?? [], place);
  const kind = reader.kind(mapping.kinds);
  if (typeof kind === 'string') return { left: kind };
  const fields = Object.entries(kind.record).flatMap(([name, rule]) =>
    rule === undefined ? [] : [[name, reader.field(name, rule)] as const],
  );
  const record = Object.fromEntries(fields);
  if (by === null) return { record };
  return { record: { ...record, group: { by, name: reader.group(kind.groups?.[by]) } } };
}

/** The rows of a document: what stands at the mapping's `rows`, else a list, or a row by itself. */
export function rowsOfDocument(
  value: unknown,
  { rows, json_texts }: RecordMapping,
  place: RecordPlace,
): readonly Row[] {
  const document = new RowReader(asObject(value) ?? {}, json_texts ?? [], place);
  const held = (rows ?? []).map((path) => document.at(path)).find((found) => found !== null) ?? value;
  return (Array.isArray(held) ? held : [held]).map((each) => {
    const row = asObject(each);
    if (row === null) throw recordsCorrupt(place, 'expected a row, which is a JSON object');
    return row;
  });
}

class RowReader extends RuledRow {
  readonly #row: Row;
  readonly #place: RecordPlace;
  readonly #texts: readonly string[];
  readonly #parsed = new Map<string, unknown>();

  constructor(row: Row, texts: readonly string[], place: RecordPlace) {
    super((path) => this.at(path), {
      corrupt: (found) => recordsCorrupt(place, found),
      shown: shownText,
    });
    this.#row = row;
    this.#texts = texts;
    this.#place = place;
  }

  at(path: string): unknown {
    return memberAt(this.#row, path, (at, value) => this.#told(at, value));
  }

  /** The group of the row; several names are one group, so that groups add up to the whole. */
  group(rule: GroupRule | undefined): string | null {
    const held = rule === undefined ? null : this.at(rule.from);
    const names = (Array.isArray(held) ? held : [held])
      .filter((name) => name !== null && name !== '')
      .map((name) => (typeof name === 'object' ? JSON.stringify(name) : String(name)))
      .filter((name) => rule?.without == null || !name.startsWith(rule.without));
    if (names.length === 0) return null;
    return [...new Set(names)]
      .sort()
      .map((name) => (rule?.hash === true ? fingerprintOf(name) : name))
      .join(', ');
  }

  field(name: string, rule: RecordRule): unknown {
    if (name === 'created_at') return this.#seconds(this.value(name, rule), rule.form ?? 'unix_s');
    const isNumber = rule.sum !== undefined || rule.times !== undefined;
    const read = isNumber ? formatTrimmed(this.number(name, rule)) : this.value(name, rule);
    return recordField(name, rule.double === true ? withoutNoise(String(read)) : read, this.#place);
  }

  #seconds(value: unknown, form: NonNullable<RecordRule['form']>): number {
    const perSecond = { unix_s: 1n, unix_ms: 1_000n, unix_ns: 1_000_000_000n, text: null }[form];
    const text = String(value);
    const instant = perSecond === null ? foreignInstant(text) : instantOfCount(text, perSecond);
    if (instant !== null) return Math.floor(Date.parse(instant) / 1_000);
    throw recordsCorrupt(
      this.#place,
      `created_at: expected a moment (${form}), found ${shownText(JSON.stringify(text))}`,
    );
  }

  /** What stands at a path, read as JSON where the mapping says that it is a text of JSON. */
  #told(path: string, value: unknown): unknown {
    if (!this.#texts.includes(path) || typeof value !== 'string' || value === '') return value ?? null;
    if (!this.#parsed.has(path)) this.#parsed.set(path, this.#json(path, value));
    return this.#parsed.get(path);
  }

  #json(path: string, text: string): unknown {
    try {
      return parseLosslessJson(text).value;
    } catch {
      throw recordsCorrupt(
        this.#place,
        `${path}: expected a text of JSON, as the mapping says, found another`,
      );
    }
  }
}

const SHA256 = /^[0-9a-f]{64}$/;

/** As keys have it everywhere here; what the program has hashed already, as LiteLLM does, is shortened. */
function fingerprintOf(name: string): string {
  const hash = SHA256.test(name) ? name : createHash('sha256').update(name).digest('hex');
  return hash.slice(0, 16);
}

/** What has digits of its own behind the twelfth stays as it is, which a judgement tells. */
function withoutNoise(text: string): string {
  const meant = behindNoise(text);
  return meant === null ? text : formatAmount(meant);
}
