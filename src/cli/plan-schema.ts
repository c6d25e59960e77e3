import { z } from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { PLAN_SCHEMA, type Plan } from '../core/plan.ts';

const kind = z.enum(PAID_KINDS);
const whole = z.int().nonnegative();

const scenario = z.object({
  name: z.string().regex(/^[0-9a-zA-Z_-]+$/),
  kind,
  model: z.string(),
  arrival: z.object({
    stages: z.array(z.object({ duration_ms: whole, from_millirate: whole, to_millirate: whole })),
    max_calls: whole.nullable(),
  }),
  max_in_flight: whole,
  text: z.object({ stream_share: z.number(), prompt_bytes: whole, max_tokens: whole }).nullable(),
  image: z
    .object({
      size: z.string(),
      quality: z.enum(['auto', 'low', 'medium', 'high']),
      response_format: z.enum(['url', 'b64_json']),
      multipart_share: z.number(),
    })
    .nullable(),
  video: z.object({ seconds: whole, size: z.string() }).nullable(),
});

/** Reads plan.json back; what it holds beyond the contract is left aside. */
export const planSchema = z.object({
  schema: z.literal(PLAN_SCHEMA),
  run_id: z.string(),
  created_at: z.string(),
  plan_hash: z.string(),
  nonce: z.string(),
  target: z.object({
    name: z.string(),
    root: z.string(),
    v1: z.string(),
    api: z.string(),
    embedded: z.boolean(),
    key: z.enum(['shared', 'exclusive']),
  }),
  cap: z.object({
    max_spend_usd: z.string().nullable(),
    bounds: z.array(
      z.object({
        model: z.string(),
        kind,
        per_input_token: z.string(),
        per_output_token: z.string(),
        fixed: z.string(),
        max_output_tokens: whole,
      }),
    ),
  }),
  workload: z.object({
    seed: z.number(),
    duration_ms: whole,
    drain_ms: whole,
    timeouts: z.object({
      connect_ms: whole,
      headers_ms: whole,
      first_token_ms: whole,
      idle_ms: whole,
      total_ms: whole,
      task_ms: whole,
    }),
    scenarios: z.array(scenario),
    objectives: z.array(
      z.object({
        scenario: z.string(),
        measure: z.enum(['ttft_ms', 'tpot_ms', 'e2e_ms', 'error_share', 'dropped_share']),
        percentile: z.number().nullable(),
        max: z.number(),
      }),
    ),
  }),
  stopped: z
    .array(z.object({ scenario: z.string(), kind, model: z.string(), reason: z.string() }))
    .default([]),
}) satisfies z.ZodType<Plan>;
