import { expect } from 'vitest';
import { type BillingTerms, NO_TERMS } from '../contracts/billing-terms.ts';
import type { Finding } from '../contracts/finding.ts';
import type { UsageRecord } from '../contracts/interface.ts';
import type { CallRow, Intent } from '../contracts/ledger-lines.ts';
import type { Reconciliation } from '../contracts/reconciliation.ts';
import {
  READ_DEFAULTS,
  READ_SCHEMA,
  RECORD_DEFAULTS,
  type ReadLine,
  USAGE_RECORD_SCHEMA,
  USAGE_TOTALS_SCHEMA,
  type UsageRecordLine,
  type UsageTotalsLine,
} from '../contracts/usage-lines.ts';
import { formatInstant } from '../core/time.ts';
import { readPriceBook } from '../pricebook/read/read-price-book.ts';
import {
  type ArchivedBook,
  DEFAULT_TOLERANCES,
  type ReconcileInput,
  type Tolerances,
} from './input/reconcile-input.ts';
import { brokenMoney } from './money-identity.test-support.ts';
import { reconcile } from './reconcile.ts';
import { IMAGE_MODEL, START_MS, START_S, TEXT_MODEL, VIDEO_MODEL } from './rows.test-support.ts';

export * from './rows.test-support.ts';

const MINUTE_MS = 60_000;

/** What a user told: text is recorded within ten minutes, a failed task credited within twelve hours. */
export const TOLD_TIMES: Partial<BillingTerms> = {
  deadlines: { ...NO_TERMS.deadlines, text_ms: 10 * MINUTE_MS, refund_ms: 12 * 60 * MINUTE_MS },
};

/** Text at $2 and $8 a million, cache reads $0.5; images $0.02 and $0.08; video $0.1 a second. */
export function bookDocument(changes: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    object: 'pricebook',
    pricebook_id: 'pb',
    pricing_version: 'v1',
    currency: 'USD',
    rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
    usage_semantics: { input_includes_cache: true, output_includes_reasoning: true },
    models: [
      {
        id: TEXT_MODEL,
        kind: 'text',
        unit: 'per_1m_tokens',
        input: '2',
        output: '8',
        cache_read: '0.5',
        max_output_tokens: 4000,
      },
      {
        id: IMAGE_MODEL,
        kind: 'image',
        unit: 'per_image',
        tiers: [
          { size: '1024x1024', quality: 'low', price: '0.02' },
          { size: '1024x1024', quality: 'high', price: '0.08' },
        ],
      },
      {
        id: VIDEO_MODEL,
        kind: 'video',
        unit: 'per_second',
        tiers: [{ resolution: '720p', price: '0.1' }],
      },
    ],
    ...changes,
  };
}

export function archivedBook(document: unknown = bookDocument(), sha256 = 'a'.repeat(64)): ArchivedBook {
  return { sha256, reading: readPriceBook(new TextEncoder().encode(JSON.stringify(document))) };
}

/** Totals over one record of text that charges nothing and gives nothing back, but for `changes`. */
export function totalsWith(changes: Readonly<Record<string, unknown>>): unknown {
  const figures = {
    settled_amount: '0',
    pending_amount: '0',
    refunded_amount: '0',
    records: 1,
    unknown_records: 0,
    ...changes,
  };
  const day = { date: formatInstant(START_MS).slice(0, 10), ...figures };
  return { currency: 'USD', ...figures, by_model: [{ model: TEXT_MODEL, ...figures }], daily: [day] };
}

/** The right record of `textRow(name)`. */
export function recordOf(name: string, changes: Partial<UsageRecord> = {}): UsageRecord {
  return {
    usage_estimated: false,
    id: `rec-${name}`,
    request_id: `req-${name}`,
    created_at: START_S,
    model: TEXT_MODEL,
    result: 'completed',
    billing_status: 'settled',
    amount: '0.0028',
    reserved_amount: '0.01',
    refunded_amount: '0.0072',
    input_tokens: 1000,
    output_tokens: 100,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    pricebook_id: 'pb',
    pricing_version: 'v1',
    ...changes,
  };
}

export const IMAGE_RECORD: Partial<UsageRecord> = {
  model: IMAGE_MODEL,
  amount: '0.02',
  reserved_amount: '0.02',
  refunded_amount: '0',
  input_tokens: 0,
  output_tokens: 0,
};

export const VIDEO_RECORD: Partial<UsageRecord> = {
  ...IMAGE_RECORD,
  model: VIDEO_MODEL,
  amount: '0.4',
  reserved_amount: '0.4',
};

export interface SweepSpec {
  readonly records: readonly unknown[];
  readonly totals?: unknown;
  /** Default: a minute after the one before; the first a minute after the start. */
  readonly at_ms?: number;
  readonly complete?: boolean;
}

export interface InputSpec {
  readonly rows?: readonly CallRow[];
  readonly intents?: readonly Intent[];
  readonly sweeps?: readonly SweepSpec[];
  /** Reads of single request ids after the last sweep. */
  readonly requests?: readonly {
    readonly request_id: string;
    readonly records: readonly unknown[];
    readonly at_ms: number;
  }[];
  readonly books?: readonly ArchivedBook[];
  readonly tolerances?: Tolerances;
  readonly terms?: Partial<BillingTerms>;
  readonly suspense?: ReconcileInput['suspense'];
  readonly basis?: ReconcileInput['basis'];
  readonly upstream?: ReconcileInput['upstream'];
  readonly key?: 'shared' | 'exclusive';
}

const WINDOW = { start: START_S - 60, end: START_S + 3 * 86_400 };

export function inputOf(spec: InputSpec): ReconcileInput {
  const reads: ReadLine[] = [];
  const records: UsageRecordLine[] = [];
  const totals: UsageTotalsLine[] = [];
  spec.sweeps?.forEach((sweep, index) => {
    const number = index + 1;
    const readAt = formatInstant(sweep.at_ms ?? START_MS + number * MINUTE_MS);
    reads.push(readLine({ read: 'records', read_at: readAt, sweep: number, count: sweep.records.length }));
    records.push(...sweep.records.map((record) => recordLine(record, readAt, number, false)));
    if (sweep.totals !== undefined) {
      totals.push({
        schema: USAGE_TOTALS_SCHEMA,
        read_at: readAt,
        sweep: number,
        window: WINDOW,
        key_fp: null,
        answer_request_id: null,
        totals: sweep.totals,
      });
    }
    reads.push(
      readLine({ read: 'sweep_end', read_at: readAt, sweep: number, complete: sweep.complete ?? true }),
    );
  });
  for (const request of spec.requests ?? []) {
    const readAt = formatInstant(request.at_ms);
    const sweep = spec.sweeps?.length ?? 0;
    reads.push(readLine({ read: 'request', read_at: readAt, sweep, request_id: request.request_id }));
    records.push(...request.records.map((record) => recordLine(record, readAt, sweep, true)));
  }
  return {
    plan: null,
    ledger: {
      headers: [],
      intents: spec.intents ?? [],
      rows: spec.rows ?? [],
      states: [],
      problems: [],
      text_files: [],
      unknown_lines: 0,
    },
    reads,
    records,
    totals,
    books: spec.books ?? [archivedBook()],
    basis: spec.basis ?? 'ledger',
    key: spec.key ?? 'exclusive',
    tolerances: spec.tolerances ?? DEFAULT_TOLERANCES,
    terms: { ...NO_TERMS, ...spec.terms },
    suspense: spec.suspense ?? null,
    upstream: spec.upstream ?? new Map(),
  };
}

function readLine(changes: Partial<ReadLine>): ReadLine {
  return {
    schema: READ_SCHEMA,
    read: 'records',
    read_at: formatInstant(START_MS),
    sweep: 1,
    window: WINDOW,
    request_id: null,
    cursor: null,
    next_cursor: null,
    has_more: null,
    count: null,
    status: 200,
    sha256: null,
    complete: null,
    reasons: [],
    ...READ_DEFAULTS,
    ...changes,
  };
}

function recordLine(record: unknown, readAt: string, sweep: number, byRequestId: boolean): UsageRecordLine {
  return {
    schema: USAGE_RECORD_SCHEMA,
    read_at: readAt,
    sweep,
    by_request_id: byRequestId,
    ...RECORD_DEFAULTS,
    record,
  };
}

/** Throws where a sum of the money is not accounted for to the last digit. */
export function judge(spec: InputSpec): Reconciliation {
  const result = reconcile(inputOf(spec));
  expect(brokenMoney(result)).toEqual([]);
  return result;
}

/** Class, rule and delta of every finding, provisional ones marked. */
export function brief(result: Reconciliation): readonly string[] {
  return result.findings.map(
    (finding) =>
      `${finding.class} ${finding.rule} ${finding.delta_exact ?? 'open'}${finding.provisional ? ' provisional' : ''}`,
  );
}

/** The one finding that is expected. */
export function only(result: Reconciliation): Finding {
  const [finding] = result.findings;
  if (finding === undefined || result.findings.length !== 1)
    throw new Error(`expected one finding: ${brief(result)}`);
  return finding;
}
