import { z } from 'zod';
import { COMPARED_MEASURES } from '../contracts/comparison.ts';
import { FAULT_CLASSES } from '../contracts/fault-class.ts';
import { MATCH_PASSES } from '../contracts/match-pass.ts';
import { ERROR_TYPES, OUTCOMES } from '../contracts/outcome.ts';
import { AGING_BUCKETS, EXERCISED_KINDS, RESULT_SCHEMA, type Result } from '../contracts/result.ts';
import { LEAF_FIGURES, READ_HAZARDS } from '../contracts/usage-lines.ts';
import { PAID_KINDS } from '../core/call-kind.ts';
import { OBJECTIVE_MEASURES } from '../core/plan.ts';
import { openJsonSchema } from './open-json-schema.ts';

const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('USD, plain decimal');
const count = z.int().min(0);
const share = z.number().min(0).max(1);
const kind = z.enum(PAID_KINDS);
const severity = z.enum(['S1', 'S2', 'S3', 'S4']);

const latencyTable = z
  .strictObject({
    count,
    min: z.number(),
    mean: z.number(),
    p50: z.number(),
    p90: z.number(),
    p95: z.number(),
    p99: z.number(),
    p999: z.number().nullable(),
    max: z.number(),
  })
  .meta({ id: 'latency_table' });

const latencyTables = z
  .strictObject({
    ttft: latencyTable.nullable(),
    ttfo: latencyTable.nullable(),
    tpot: latencyTable.nullable(),
    itl: latencyTable.nullable(),
    e2e: latencyTable.nullable(),
    e2e_planned: latencyTable.nullable(),
    schedule_lag: latencyTable.nullable(),
  })
  .meta({ id: 'latency_tables' });

const failureGroup = z
  .strictObject({
    outcome: z.enum(OUTCOMES),
    status: z.int().nullable(),
    error_code: z.string().nullable(),
    message: z.string().nullable(),
    count,
  })
  .meta({ id: 'failure_group' });

const loadFigures = {
  planned: count,
  started: count,
  dropped: count,
  held: count,
  ok: count,
  outcomes: z.partialRecord(z.enum(OUTCOMES), count),
  failures: z.array(failureGroup),
  asked_rate: z.number().nullable(),
  achieved_rate: z.number().nullable(),
  goodput: z.number().nullable(),
  attainment: share.nullable(),
  latency: latencyTables,
  tokens: z.strictObject({ input: count, output: count }).nullable(),
  good: count,
  retries: z.strictObject({ calls: count, attempts: count }),
  streams: z
    .strictObject({
      count,
      tokens_per_event: z.number().nullable(),
      longest_gap_ms: z.number().nullable(),
      stalls: count,
      stalled: count,
      bursts: count,
    })
    .nullable(),
  stages: z
    .strictObject({
      count,
      queue: latencyTable.nullable(),
      run: latencyTable.nullable(),
      rest: latencyTable.nullable(),
      polls: z.number(),
    })
    .nullable()
    .default(null),
  usd_per_1000_good: amount.nullable(),
  usd_per_1000_good_at_most: z.boolean(),
  aborted_usd: amount.nullable(),
};

const load = z.strictObject({
  measured_s: z.number(),
  scenarios: z.array(z.strictObject({ scenario: z.string(), kind, model: z.string(), ...loadFigures })),
  kinds: z.array(z.strictObject({ kind, ...loadFigures })),
  total: z.strictObject(loadFigures),
  failed_downloads: z
    .array(
      z.strictObject({
        outcome: z.enum(OUTCOMES),
        error_type: z.enum(ERROR_TYPES),
        status: z.int().nullable(),
        count,
      }),
    )
    .default([]),
  objectives: z.array(
    z.strictObject({
      scenario: z.string(),
      measure: z.enum(OBJECTIVE_MEASURES),
      percentile: z.number().nullable(),
      max: z.number().nullable(),
      min: z.number().nullable(),
      max_usd: z.string().nullable(),
      actual: z.number().nullable(),
      actual_usd: amount.nullable(),
      actual_at_most: z.boolean(),
      met: z.boolean(),
    }),
  ),
});

const suspenseSum = z.strictObject({ items: count, amount: amount.nullable() }).meta({ id: 'suspense_sum' });

const chargedMoney = {
  calls: count,
  charged: amount.nullable(),
  expected: amount.nullable(),
  difference: amount.nullable(),
};

const trafficSum = { records: count, amount: amount.nullable() };

const money = z.strictObject({
  expected: amount.nullable(),
  charged: amount.nullable(),
  charged_inexact: amount.nullable(),
  refunded: amount.nullable(),
  pending: amount.nullable(),
  difference: amount.nullable(),
  certain_over: amount.nullable(),
  certain_under: amount.nullable(),
  open: amount.nullable(),
  records: count,
  foreign: z.strictObject(trafficSum),
  known: z.array(z.strictObject({ of: z.string(), ...trafficSum })).optional(),
  unattributed: z.strictObject(trafficSum).optional(),
  aging: z
    .array(z.strictObject({ bucket: z.enum(AGING_BUCKETS), calls: count, lo: amount, hi: amount.nullable() }))
    .default([]),
  suspense: z
    .strictObject({ opening: suspenseSum, added: suspenseSum, cleared: suspenseSum, closing: suspenseSum })
    .nullable()
    .default(null),
  by_model: z.array(z.strictObject({ model: z.string(), ...chargedMoney })).default([]),
  by_day: z.array(z.strictObject({ day: z.string(), ...chargedMoney })).default([]),
  trial_records: count,
  retried: amount.nullable(),
});

const coverage = z.strictObject({
  to_the_digit: share.nullable(),
  within_bounds: share.nullable(),
  not_checkable: share.nullable(),
  provisional: share.nullable(),
  charges: z.strictObject({ matched: count, of: count }).nullable().default(null),
  prices: z.strictObject({ published: count, declared: count, inferred: count }),
  settings: z.array(z.strictObject({ name: z.string(), value: z.string(), evidence: z.string() })),
  basis: z
    .strictObject({ client: share.nullable(), record: share.nullable() })
    .default({ client: null, record: null }),
  consistent: share.nullable().default(null),
  not_checkable_why: z.array(z.strictObject({ why: z.string(), share, calls: count })).default([]),
  untold: share.nullable().default(null),
  of_records: z
    .array(
      z.strictObject({
        kind: z.enum(['text', 'image', 'video']),
        charged: amount,
        checked: amount,
        untold: amount,
      }),
    )
    .default([]),
  provisional_until: z.string().nullable().default(null),
  exercised: z
    .array(
      z.strictObject({
        kind: z.enum(EXERCISED_KINDS),
        line: z.string(),
        model: z.string().nullable(),
        seen: count,
      }),
    )
    .default([]),
  classes: z
    .array(
      z.strictObject({
        class: z.enum(FAULT_CLASSES),
        checked: count,
        found: count,
        below: z.number().nullable(),
      }),
    )
    .default([]),
});

const findingGroup = z.strictObject({
  class: z.enum(FAULT_CLASSES),
  severity,
  count,
  provisional: count,
  delta: amount.nullable(),
  gates: z.boolean(),
  gating: count.default(0),
  rows: count.default(0),
  causes: count.default(0),
});

const completeness = z.strictObject({
  complete: z.boolean(),
  pages: count,
  records: count,
  totals_records: count.nullable(),
  reads: count,
  last_read_at: z.string().nullable(),
  open_calls: count,
  reasons: z.array(z.string()),
  proved: z.boolean().default(false),
  leaves: z
    .array(
      z.strictObject({
        start: z.number(),
        end: z.number(),
        model: z.string().nullable(),
        figure: z.enum(LEAF_FIGURES),
        totals: z.string().nullable(),
        records: z.string().nullable(),
        stable: z.boolean(),
      }),
    )
    .default([]),
  hazards: z
    .array(z.strictObject({ hazard: z.enum(READ_HAZARDS), met: z.boolean(), reads: z.array(z.string()) }))
    .default([]),
});

const statement = z.strictObject({
  opening: amount,
  top_ups: amount,
  settled: amount.nullable(),
  refunds: amount.nullable(),
  holds: amount.nullable(),
  others: amount.nullable(),
  due: amount.nullable(),
  closing: amount,
  unexplained: amount.nullable(),
  receipts: z.array(z.strictObject({ amount, request_id: z.string().nullable() })),
});

const client = z.strictObject({
  verdict: z.enum(['valid', 'client_limited']),
  reasons: z.array(z.string()),
  schedule_lag_p99_ms: z.number().nullable(),
  cpu_max: z.number().nullable(),
  gc_ms: z.number().nullable(),
  rows_lost: count,
  cores: count,
  cpu_p95: z.number().nullable(),
  gc_share: z.number().nullable(),
  timer_lag_p99_ms: z.number().nullable(),
  run_queue_p99_ms: z.number().nullable(),
  open_files_max: count.nullable(),
  open_files_limit: count.nullable(),
  rss_max_bytes: count.nullable(),
  dropped_by_client: count,
  rps_limit: z.strictObject({ rps: z.number(), planned: z.number() }).nullable(),
});

/** Of a search of the capacity. */
export const capacitySchema = z.strictObject({
  rate_scale: z.number().nullable(),
  asked_rate: z.number().nullable(),
  ended: z.enum([
    'resolved',
    'most_steps',
    'client_limited',
    'spend_cap',
    'not_permitted',
    'too_few_calls',
    'halted',
    'interrupted',
  ]),
  steps: z.array(
    z.strictObject({
      instance: z.string(),
      rate_scale: z.number(),
      asked_rate: z.number().nullable(),
      achieved_rate: z.number().nullable(),
      concurrency: z.int().nullable().default(null),
      verdict: z.enum(['held', 'missed', 'client_limited', 'halted', 'too_few_calls']),
      reasons: z.array(z.string()),
      only_dropped: z.boolean().default(false),
      goodput: z.number().nullable(),
      attainment: share.nullable(),
    }),
  ),
});

/** `result.json`. Parsing gives the canonical order of keys, that of the type in core. */
const measure = z.enum(COMPARED_MEASURES);

/** Of a run folder's baseline.json, too. */
export const baselineSchema = z.strictObject({
  run_id: z.string(),
  limits: z.array(z.strictObject({ kind: kind.nullable(), measure, most: z.number() })),
  figures: z.array(
    z.strictObject({
      kind,
      measure,
      before: z.number(),
      after: z.number(),
      change: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      verdict: z.enum(['worse', 'better', 'same', 'too_few_calls']),
    }),
  ),
  unsound: z.array(z.string()),
});

export const resultSchema = z.strictObject({
  schema: z.literal(RESULT_SCHEMA),
  run_id: z.string(),
  target: z.string(),
  plan_hash: z.string().nullable(),
  tool: z.strictObject({
    weighbridge: z.string(),
    revision: z.string().optional(),
    k6: z.string().nullable(),
  }),
  period: z.strictObject({ start: z.string(), end: z.string() }).nullable(),
  basis: z.enum(['ledger', 'records']).nullable().default(null),
  load: load.nullable(),
  money: money.nullable(),
  coverage: coverage.nullable(),
  findings: z.array(findingGroup),
  matching: z
    .array(z.strictObject({ pass: z.enum(MATCH_PASSES), pairs: count, charged: amount.nullable() }))
    .nullable()
    .default(null),
  completeness: completeness.nullable(),
  statement: statement.nullable().default(null),
  client: client.nullable(),
  capacity: capacitySchema.nullable(),
  baseline: baselineSchema.nullable().default(null),
  stopped: z.array(z.strictObject({ scenario: z.string(), kind, model: z.string(), reason: z.string() })),
  exit_codes: z.array(z.strictObject({ code: z.int(), why: z.string() })),
}) satisfies z.ZodType<Result>;

/** JSON Schema of `result.json`, as committed in result.schema.json. */
export function resultJsonSchema(): Readonly<Record<string, unknown>> {
  return openJsonSchema(resultSchema, { id: RESULT_SCHEMA, title: 'Weighbridge result' });
}
