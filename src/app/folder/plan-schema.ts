import { z } from 'zod';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { OBJECTIVE_MEASURES, PLAN_SCHEMA, type Plan } from '../../core/plan.ts';
import { keptTargetSchema } from './kept-target-schema.ts';

const kind = z.enum(PAID_KINDS);
const whole = z.int().nonnegative();
const sizes = z.union([whole, z.array(whole).min(1).max(1024)]);

const scenario = z.object({
  name: z.string().regex(/^[0-9a-zA-Z_-]+$/),
  kind,
  model: z.string(),
  arrival: z.object({
    stages: z.array(z.object({ duration_ms: whole, from_millirate: whole, to_millirate: whole })),
    max_calls: whole.nullable(),
    process: z.enum(['even', 'poisson', 'gamma']).default('even'),
    burstiness: z.number().positive().default(1),
    concurrency: whole.nullable().default(null),
    trace: z.object({ file: z.string(), sha256: z.string(), calls: whole }).nullable().default(null),
  }),
  max_in_flight: whole,
  text: z
    .object({
      stream_share: z.number(),
      prompt_bytes: sizes,
      max_tokens: sizes,
      cached_share: z.number().default(0),
      prompts: z
        .object({
          path: z.string(),
          sha256: z.string(),
          count: whole,
          max_bytes: whole,
          order: z.enum(['in_turn', 'random']),
        })
        .nullable()
        .default(null),
      session: z.object({ turns: sizes, think_ms: sizes }).nullable().default(null),
      watermark: z.object({ modulus: whole, of: whole, first: whole }).nullable().default(null),
    })
    .nullable(),
  image: z
    .object({
      size: z.string(),
      quality: z.enum(['auto', 'low', 'medium', 'high']),
      response_format: z.enum(['url', 'b64_json']),
      multipart_share: z.number(),
    })
    .nullable(),
  video: z.object({ seconds: whole, size: z.string() }).nullable(),
  abort: z
    .object({ share: z.number(), after_ms: z.number().nullable(), after_events: whole.nullable() })
    .nullable()
    .default(null),
});

const retry = z.object({
  max_attempts: whole,
  first_wait_ms: whole,
  factor: z.number(),
  max_wait_ms: whole,
  jitter: z.number(),
});

const http = z.object({
  rps: z.number().nullable(),
  debug: z.enum(['off', 'headers', 'full']),
  http2: z.boolean(),
  reuse: z.enum(['vu', 'iteration', 'none']),
  dns: z.object({
    ttl: z.string(),
    select: z.enum(['first', 'random', 'roundRobin']),
    policy: z.enum(['preferIPv4', 'preferIPv6', 'onlyIPv4', 'onlyIPv6', 'any']),
  }),
  hosts: z.record(z.string(), z.string()),
  insecure_skip_tls_verify: z.boolean(),
  tls_min: z.enum(['tls1.2', 'tls1.3']).nullable(),
});

/** What plans of earlier versions did without saying so. */
const EARLIER = {
  retry: { max_attempts: 1, first_wait_ms: 1_000, factor: 2, max_wait_ms: 30_000, jitter: 0.2 },
  http: {
    rps: null,
    debug: 'off',
    http2: true,
    reuse: 'vu',
    dns: { ttl: '5m', select: 'random', policy: 'preferIPv4' },
    hosts: {},
    insecure_skip_tls_verify: false,
    tls_min: null,
  },
  limits: { max_in_flight: null, max_in_flight_by_model: {}, keep_credit_share: null, stop: null },
} as const;

/** Reads plan.json back; what it holds beyond the contract is left aside. */
export const planSchema = z.object({
  schema: z.literal(PLAN_SCHEMA),
  run_id: z.string(),
  created_at: z.string(),
  plan_hash: z.string(),
  nonce: z.string(),
  target: keptTargetSchema,
  cap: z.object({
    max_spend_usd: z.string().nullable(),
    by_scenario: z.record(z.string(), z.string()).default({}),
    by_model: z.record(z.string(), z.string()).default({}),
    bounds: z.array(
      z.object({
        model: z.string(),
        kind,
        per_input_token: z.string(),
        per_output_token: z.string(),
        fixed: z.string(),
        max_output_tokens: whole,
        limit_obeyed: z.boolean().default(false),
      }),
    ),
  }),
  limits: z
    .object({
      max_in_flight: whole.nullable(),
      max_in_flight_by_model: z.record(z.string(), whole),
      keep_credit_share: z.number().nullable(),
      stop: z
        .object({
          over_ms: whole,
          min_calls: whole,
          share_429: z.number().nullable(),
          share_5xx: z.number().nullable(),
        })
        .nullable(),
    })
    .default(EARLIER.limits),
  keep_text: z.boolean().default(false),
  workload: z.object({
    seed: z.number(),
    duration_ms: whole,
    drain_ms: whole,
    warm_up_ms: whole.default(0),
    cool_down_ms: whole.default(0),
    timeouts: z.object({
      connect_ms: whole,
      headers_ms: whole,
      first_token_ms: whole,
      idle_ms: whole,
      total_ms: whole,
      task_ms: whole,
    }),
    retry: retry.default(EARLIER.retry),
    http: http.default(EARLIER.http),
    calls_per_vu: whole.default(1),
    scenarios: z.array(scenario),
    objectives: z.array(
      z.object({
        scenario: z.string(),
        measure: z.enum(OBJECTIVE_MEASURES),
        percentile: z.number().nullable(),
        max: z.number().nullable(),
        min: z.number().nullable().default(null),
        max_usd: z.string().nullable().default(null),
      }),
    ),
  }),
  stopped: z
    .array(z.object({ scenario: z.string(), kind, model: z.string(), reason: z.string() }))
    .default([]),
}) satisfies z.ZodType<Plan>;
