import { describeFound, type Problem } from '../../config/problem.ts';
import { isPaidKind, isTokenKind, PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../../core/prompt-text.ts';
import { MARKER_BYTES } from '../../workload/call-plan.ts';
import { hashBlocks } from './hash-blocks.ts';
import { type ColumnMap, mapColumns, type TraceColumns, type TraceField } from './trace-columns.ts';
import { type TraceMoment, traceMoment } from './trace-moment.ts';
import type { TraceRecord } from './trace-records.ts';

/** One start as its line says; null where the line says nothing. */
export interface TimedLine {
  readonly moment: TraceMoment;
  readonly kind: PaidKind;
  readonly model: string | null;
  readonly prompt_bytes: number | null;
  readonly max_tokens: number | null;
  readonly stream: boolean | null;
  readonly hash_ids?: readonly number[];
}

/** What holds for lines that say nothing of their own, and how the columns are called. */
export interface LineDefaults {
  readonly kind: PaidKind | null;
  readonly model: string | null;
  readonly columns: TraceColumns;
}

/** A bound that any model is far below. */
const MOST_TOKENS = 10_000_000;

/** Times that a trace can have, µs: one further away is a mistake in it. */
const MOST_OFFSET_US = 100n * 366n * 86_400_000_000n;
const MOST_DATE_US = BigInt(Date.UTC(9999, 11, 31, 23, 59, 59, 999)) * 1_000n;

/** Reads the lines one by one; the first tells which columns there are. */
export class TraceLineReader {
  /** Lines that ask for 0 tokens. */
  zeros = 0;
  /** True where the first line tells no columns: the lines behind it would only say so again. */
  lost = false;
  readonly #options: LineDefaults;
  readonly #problems: Problem[];
  #columns: ColumnMap | null = null;
  #dated: boolean | null = null;

  constructor(options: LineDefaults, problems: Problem[]) {
    this.#options = options;
    this.#problems = problems;
  }

  /** Null where the line has a problem, which is noted. */
  read(record: TraceRecord): TimedLine | null {
    const before = this.#problems.length;
    const columns = this.#columnsOf(record);
    if (columns === null) return null;
    const moment = this.#moment(record, columns);
    const kind = this.#kind(record, columns);
    const text = kind !== null && isTokenKind(kind);
    const prompt = text ? this.#promptBytes(record, columns) : null;
    const most = text ? this.#whole(record, columns, 'max_tokens', MOST_TOKENS) : null;
    const stream = text ? this.#stream(record, columns) : null;
    const blocks = text ? hashBlocks(record, prompt) : {};
    if ('rule' in blocks) this.#note(record, 'hash_ids', blocks.rule, blocks.found);
    if (moment === null || kind === null || this.#problems.length > before) return null;
    if (most === 0) this.zeros += 1;
    return {
      moment,
      kind,
      model: this.#value(record, columns, 'model') ?? this.#options.model,
      prompt_bytes: prompt,
      max_tokens: most === null ? null : Math.max(1, most),
      stream,
      ...('hash_ids' in blocks ? blocks : {}),
    };
  }

  /** A CSV has the columns of its header; the lines of NDJSON may each leave keys out. */
  #columnsOf(record: TraceRecord): ColumnMap | null {
    const { names, tabular } = record;
    if (this.#columns !== null && names.every((name) => this.#seen.has(name))) return this.#columns;
    const all = [...new Set([...this.#seen, ...names])];
    const columns = mapColumns(all, this.#options.columns, tabular);
    if (typeof columns !== 'string') {
      for (const name of names) this.#seen.add(name);
      this.#columns = columns;
      return columns;
    }
    this.#note(record, '', columns, names.join(', '));
    this.lost ||= this.#columns === null;
    return null;
  }
  readonly #seen = new Set<string>();

  #moment(record: TraceRecord, { time }: ColumnMap): TraceMoment | null {
    const text = record.values.get(time.name);
    const moment = text === undefined ? null : traceMoment(time.form, text.trim());
    if (moment === null) {
      const rule =
        time.form === 'timestamp'
          ? 'must be ms from the beginning, s or ms since 1970, or RFC 3339'
          : 'must be a number of 0 or more';
      this.#note(record, time.name, rule, describeFound(text));
      return null;
    }
    if (moment.us > (moment.dated ? MOST_DATE_US : MOST_OFFSET_US)) {
      const rule = moment.dated
        ? 'must be a date before the year 10000'
        : 'must be within 100 years of the beginning';
      this.#note(record, time.name, rule, describeFound(text));
      return null;
    }
    this.#dated ??= moment.dated;
    if (this.#dated === moment.dated) return moment;
    const others = this.#dated ? 'dates' : 'counted from the beginning';
    this.#note(record, time.name, `must be as the times before, which are ${others}`, describeFound(text));
    return null;
  }

  #kind(record: TraceRecord, columns: ColumnMap): PaidKind | null {
    const text = this.#value(record, columns, 'kind') ?? this.#options.kind ?? 'chat';
    if (isPaidKind(text)) return text;
    this.#note(
      record,
      columns.names.get('kind') ?? 'kind',
      `must be ${PAID_KINDS.join(', ')}`,
      describeFound(text),
    );
    return null;
  }

  #promptBytes(record: TraceRecord, columns: ColumnMap): number | null {
    const bytes = this.#whole(record, columns, 'prompt_bytes', bytesOf(MOST_TOKENS));
    const tokens = this.#whole(record, columns, 'prompt_tokens', MOST_TOKENS);
    const size = bytes ?? (tokens === null ? null : bytesOf(tokens));
    return size === null ? null : Math.max(MARKER_BYTES + 1, size);
  }

  #whole(record: TraceRecord, columns: ColumnMap, field: TraceField, most: number): number | null {
    const text = this.#value(record, columns, field);
    if (text === null) return null;
    const value = /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value <= most) return value;
    const rule = `must be a whole number of 0 to ${most}`;
    this.#note(record, columns.names.get(field) ?? field, rule, describeFound(text));
    return null;
  }

  #stream(record: TraceRecord, columns: ColumnMap): boolean | null {
    const text = this.#value(record, columns, 'stream');
    if (text === null) return null;
    const known = { true: true, '1': true, false: false, '0': false }[text.toLowerCase()];
    if (known !== undefined) return known;
    this.#note(record, columns.names.get('stream') ?? 'stream', 'must be true or false', describeFound(text));
    return null;
  }

  #value(record: TraceRecord, columns: ColumnMap, field: TraceField): string | null {
    const name = columns.names.get(field);
    return (name === undefined ? undefined : record.values.get(name)?.trim()) || null;
  }

  #note(record: TraceRecord, column: string, rule: string, found: string): void {
    this.#problems.push(problem(record.at(column), column, rule, found));
  }
}

function bytesOf(tokens: number): number {
  return Math.round((tokens * BYTES_PER_TOKEN_HUNDREDTHS) / 100);
}

export function problem(at: string, path: string, rule: string, found: string | null): Problem {
  return { at, path, rule, found, suggestion: null };
}
