import { z } from 'zod';
import { PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { DIALECTS } from './dialect.ts';
import { PLAN_SCHEMA } from './schema-names.ts';
import type { Shape } from './shape.ts';

const kind = z.enum(PAID_KINDS);
/** Whole numbers from 0 up; `go` in a meta names the type of a field in xk6/plan where it is another one. */
const whole = z.int().nonnegative();
const milliseconds = whole.meta({ go: 'float64' });
/** One size for all calls, or 2 to 1,024 equally likely ones, ascending: the quantiles of a distribution. */
const sizes = z.union([whole, z.array(whole).min(1).max(1024)]).meta({ go: 'SizeTable' });
export type SizeTable = Shape<typeof sizes>;

export const planTargetSchema = z.object({
  name: z.string(),
  /** `{base_url}`, without a slash at the end. */
  root: z.string(),
  v1: z.string(),
  api: z.string(),
  embedded: z.boolean(),
  key: z.enum(['shared', 'exclusive']),
  /** none: it has neither usage records nor a readable price book, so nothing is known of money. */
  bill: z.enum(['served', 'none']).default('served'),
  /** How it serves usage and prices, where that is not the interface's way. */
  dialect: z.enum(DIALECTS).optional(),
  /** Of every request: texts, `env:NAME` and `file:PATH`, never secrets; left out for none. */
  headers: z.record(z.string(), z.string()).optional(),
  /** What ends a chat stream; left out: `[DONE]`, and without a bill either. */
  stream_end: z.enum(['done', 'finish_reason']).optional(),
});
export type PlanTarget = Shape<typeof planTargetSchema>;

/** Upper bounds of one model and kind, integers in 10⁻¹² USD as decimal strings, dearest tier, rounded up. */
export const priceBound = z.object({
  model: z.string(),
  kind,
  per_input_token: z.string(),
  per_output_token: z.string(),
  /** For the whole call: images × price, or seconds × price. */
  fixed: z.string(),
  /** Largest output that the model can return. */
  max_output_tokens: whole,
  /** True where a trial call showed that the limit in the request binds the output: then that limit is the most. */
  limit_obeyed: z.boolean().default(false),
});
export type PriceBound = Shape<typeof priceBound>;

const spendCap = z.object({
  /** USD; null for the embedded gateway started by the command itself, and in a plan that is only shown. */
  max_spend_usd: z.string().nullable(),
  /** USD that the user guesses where the target has no prices; it is added to no known amount. */
  assumed_usd_per_call: z.string().optional(),
  /** USD that the scenario of a name, or the calls of a model, may take of it at most. */
  by_scenario: z.record(z.string(), z.string()).default({}),
  by_model: z.record(z.string(), z.string()).default({}),
  bounds: z.array(priceBound),
});
export type SpendCap = Shape<typeof spendCap>;

/** Stops the run when a share of the calls that ended in the last `over_ms`, at least `min_calls`, is above its bound. */
const stopRules = z.object({
  over_ms: whole,
  min_calls: whole,
  share_429: z.number().nullable(),
  share_5xx: z.number().nullable(),
});

/** When the run stops by itself, and how much is under way at once. Outside the hash: it plans no call. */
const runLimits = z.object({
  /** Calls in flight of all scenarios together; a start beyond it is dropped and counted. */
  max_in_flight: whole.nullable(),
  max_in_flight_by_model: z.record(z.string(), whole),
  /** Stop when the account's remaining quota falls under this share of its value at the start. */
  keep_credit_share: z.number().nullable(),
  stop: stopRules.nullable(),
});
export type RunLimits = Shape<typeof runLimits>;

const callTimeouts = z.object({
  connect_ms: milliseconds,
  headers_ms: milliseconds,
  first_token_ms: milliseconds,
  idle_ms: milliseconds,
  total_ms: milliseconds,
  /** From submit to the final state of a job or video task. */
  task_ms: milliseconds,
});
export type CallTimeouts = Shape<typeof callTimeouts>;

/** Interface §7: what may be sent again, and when. A completed request sent again can be charged again. */
const retryPolicy = z.object({
  /** 1: nothing is sent again. */
  max_attempts: whole.meta({ go: 'int' }),
  first_wait_ms: milliseconds,
  factor: z.number(),
  max_wait_ms: milliseconds,
  /** Each wait is lengthened by a seeded random share of itself up to this one. */
  jitter: z.number(),
});
export type RetryPolicy = Shape<typeof retryPolicy>;

/** As k6 knows them. */
const httpOptions = z.object({
  /** Requests per second of the whole run, free ones included; null for no limit. */
  rps: z.number().nullable(),
  debug: z.enum(['off', 'headers', 'full']),
  http2: z.boolean(),
  /** How long a connection is kept: with its virtual user, for one iteration, or for one request. */
  reuse: z.enum(['vu', 'iteration', 'none']),
  dns: z
    .object({
      ttl: z.string(),
      select: z.enum(['first', 'random', 'roundRobin']),
      policy: z.enum(['preferIPv4', 'preferIPv6', 'onlyIPv4', 'onlyIPv6', 'any']),
    })
    .meta({ go: '' }),
  /** Addresses in place of a name's, such as `gateway.example: 127.0.0.1:8443`. */
  hosts: z.record(z.string(), z.string()).meta({ go: '' }),
  insecure_skip_tls_verify: z.boolean(),
  tls_min: z.enum(['tls1.2', 'tls1.3']).nullable(),
});
export type HttpOptions = Shape<typeof httpOptions>;

/** Starts replayed from `<run folder>/<file>` (NDJSON of TraceLine, ascending), which holds those of all scenarios. */
const traceRef = z.object({
  file: z.string(),
  sha256: z.string(),
  /** Starts of this scenario. */
  calls: whole,
});

const arrivalStage = z.object({
  duration_ms: whole,
  /** Starts per 1,000 s at the stage's beginning and end: integers, so that 0.005/s is exact. */
  from_millirate: whole,
  to_millirate: whole,
});
export type ArrivalStage = Shape<typeof arrivalStage>;

/** When a scenario's calls start. Of `concurrency` and `trace` at most one is set; both leave the rates of the stages at 0. */
const arrival = z.object({
  /** Piecewise linear rate. */
  stages: z.array(arrivalStage),
  /** Stop after this many starts; null for as many as the stages give. */
  max_calls: whole.nullable(),
  /**
   * even: starts are where the integral of the rate passes 0, 1, 2 …
   * poisson, gamma: as many starts over the same integral, with random gaps of coefficient of variation
   * 1/√burstiness; poisson is gamma with burstiness 1.
   */
  process: z.enum(['even', 'poisson', 'gamma']).default('even'),
  /** Shape of the gamma distribution; 1 for poisson and even. Below 1 bursts, above 1 evens out. */
  burstiness: z.number().positive().default(1),
  /** Closed loop: so many calls are under way at all times, the next starts when one ends. */
  concurrency: whole.nullable().default(null),
  trace: traceRef.nullable().default(null),
});
export type Arrival = Shape<typeof arrival>;

/** Prompts of the user's own: one a line of text, or NDJSON objects with a `prompt`. The texts never enter the plan. */
const promptFile = z.object({
  /** Absolute path. */
  path: z.string(),
  sha256: z.string(),
  count: whole,
  /** Size in bytes of the largest. */
  max_bytes: whole,
  order: z.enum(['in_turn', 'random']),
});
export type PromptFile = Shape<typeof promptFile>;

/** The copy of such a file that may stand beside a plan: the load engine takes it first (xk6/traffic/prompts.go). */
export function promptsBeside({ sha256 }: PromptFile): string {
  return `prompts-${sha256.slice(0, 16)}.txt`;
}

/** A conversation: each turn carries all turns before it. One start of the scenario is one session. */
const sessionShape = z.object({
  turns: sizes,
  /** Between the end of an answer and the next turn. */
  think_ms: sizes,
});

/** Scenarios that share a model share its counter: this one takes every `of`-th value, from `first` on. */
const watermarkShape = z.object({ modulus: whole, of: whole, first: whole });
export type WatermarkShape = Shape<typeof watermarkShape>;

const textShape = z.object({
  /** Share of calls that stream, 0 to 1. */
  stream_share: z.number(),
  /** Size of the prompt in bytes: prefix, marker and padding included. A file of prompts has sizes of its own. */
  prompt_bytes: sizes,
  max_tokens: sizes,
  /** Name of the output limit in chat formats; left out: max_tokens, until a refusal teaches another. */
  max_tokens_key: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /** Share of the prompt that all calls of the scenario begin with; 0 puts the marker first, so that no cache can match. */
  cached_share: z.number().default(0),
  prompts: promptFile.nullable().default(null),
  session: sessionShape.nullable().default(null),
  /**
   * Call n is padded by a number of one-token words below this one, other for calls near in time, so that it can be told
   * from its neighbours by its input tokens alone; null for none.
   */
  watermark: watermarkShape.nullable().default(null),
});
export type TextShape = Shape<typeof textShape>;

const imageShape = z.object({
  size: z.string(),
  quality: z.enum(['auto', 'low', 'medium', 'high']),
  response_format: z.enum(['url', 'b64_json']),
  /** Share of edit calls sent as multipart/form-data; the rest is JSON. */
  multipart_share: z.number(),
});
export type ImageShape = Shape<typeof imageShape>;

const videoShape = z.object({ seconds: milliseconds, size: z.string() });
export type VideoShape = Shape<typeof videoShape>;

/** What share of the calls is cut, and when after sent: at whichever comes first. */
const abortShape = z.object({
  share: z.number(),
  after_ms: z.number().nullable(),
  after_events: whole.nullable(),
});
export type AbortShape = Shape<typeof abortShape>;

const scenarioPlan = z.object({
  /** `[0-9a-zA-Z_-]+`, unique in the plan. */
  name: z.string().regex(/^[0-9a-zA-Z_-]+$/),
  kind,
  model: z.string(),
  arrival,
  /** Most calls in flight at once; a start beyond it is dropped and counted. */
  max_in_flight: whole,
  text: textShape.nullable(),
  image: imageShape.nullable(),
  video: videoShape.nullable(),
  /** Calls that are cut on purpose, to audit what a disconnect costs. */
  abort: abortShape.nullable().default(null),
  /** Canonical JSON of an object that is merged into each request body; left out for nothing. */
  body: z.string().optional(),
});
export type ScenarioPlan = Shape<typeof scenarioPlan>;

/** A good call succeeds and meets every objective on times that holds for it; attainment is good over sent. */
export const OBJECTIVE_MEASURES = [
  'ttft_ms',
  'tpot_ms',
  'e2e_ms',
  'error_share',
  'dropped_share',
  'goodput_rate',
  'attainment_share',
  'usd_per_1000_good',
] as const;
export type ObjectiveMeasure = (typeof OBJECTIVE_MEASURES)[number];

/** A bound that decides exit code 4: `min` for goodput_rate and attainment_share, `max_usd` for usd_per_1000_good, else `max`. */
const objective = z.object({
  scenario: z.string(),
  measure: z.enum(OBJECTIVE_MEASURES),
  /** Of the times; null for the others. */
  percentile: z.number().nullable(),
  max: z.number().nullable(),
  min: z.number().nullable().default(null),
  /** Decimal text. */
  max_usd: z.string().nullable().default(null),
});
export type Objective = Shape<typeof objective>;

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

const workload = z.object({
  seed: z.number().meta({ go: 'int64' }),
  duration_ms: whole,
  /** How long calls in flight may finish after the last start. */
  drain_ms: whole,
  /** Starts planned in the first `warm_up_ms` and the last `cool_down_ms` of the duration stay out of the figures. */
  warm_up_ms: whole.default(0),
  cool_down_ms: whole.default(0),
  timeouts: callTimeouts,
  retry: retryPolicy.default(EARLIER.retry),
  http: httpOptions.default(EARLIER.http),
  /** Calls that one virtual user holds at once: 1 isolates them, more saves memory. */
  calls_per_vu: whole.default(1).meta({ go: 'int' }),
  scenarios: z.array(scenarioPlan),
  objectives: z.array(objective),
});
export type Workload = Shape<typeof workload>;

/** A scenario that cannot be weighed: its model is not offered or not priced, or its trial call could not be judged. */
export const stoppedScenario = z.object({
  scenario: z.string(),
  kind,
  model: z.string(),
  reason: z.string(),
});
export type StoppedScenario = Shape<typeof stoppedScenario>;

/**
 * The resolved plan (`plan.json`): all that k6 and the reports need to know about a run, and no secret. What a file
 * holds beyond it is left aside.
 */
/** A tokenizer.json, by its absolute path and the SHA-256 of its bytes. */
const tokenizerFile = z.object({ file: z.string(), sha256: z.string() });

export const planSchema = z.object({
  schema: z.literal(PLAN_SCHEMA),
  run_id: z.string(),
  created_at: z.string(),
  /** SHA-256 of the canonical JSON of `workload`: equal hashes plan equal calls. */
  plan_hash: z.string(),
  /** Seeds the markers in prompts; outside the hash. */
  nonce: z.string(),
  target: planTargetSchema,
  cap: spendCap,
  limits: runLimits.default(EARLIER.limits),
  /** Whether the text of answers is kept beside the ledger. Outside the hash: it plans no call. */
  keep_text: z.boolean().default(false),
  /** Who counts output tokens; absent where nobody said, which is the server. Outside the hash, too. */
  tokenizer: z.union([z.enum(['server', 'o200k']), tokenizerFile]).optional(),
  /** k6 that share the load, the limits and the cap; left out where one makes it, or nobody said. Outside the hash. */
  instances: whole.min(1).optional(),
  workload,
  /** Scenarios that were taken out before the load, each with its reason. */
  stopped: z.array(stoppedScenario).default([]),
});
export type Plan = Shape<typeof planSchema>;

/** One start of a trace; what is null is as the scenario says. */
export interface TraceLine {
  readonly scenario: string;
  /** With the model as the trace names it: the file alone tells the scenarios, so that it can be replayed again. */
  readonly kind: PaidKind;
  readonly model: string | null;
  /** From the start of the run, whole microseconds. */
  readonly at_us: number;
  readonly prompt_bytes: number | null;
  readonly max_tokens: number | null;
  readonly stream: boolean | null;
  /** Names the blocks of 512 tokens that the prompt begins with, where the trace tells them. */
  readonly hash_ids?: readonly number[];
}

/** What xk6/plan reads, by the names of its structs. */
export const GO_PLAN_STRUCTS = {
  Workload: workload,
  Timeouts: callTimeouts,
  Objective: objective,
  Retry: retryPolicy,
  HTTP: httpOptions,
  Scenario: scenarioPlan,
  Arrival: arrival,
  ArrivalStage: arrivalStage,
  TraceRef: traceRef,
  Text: textShape,
  PromptFile: promptFile,
  Session: sessionShape,
  Watermark: watermarkShape,
  Image: imageShape,
  Video: videoShape,
  Abort: abortShape,
  Limits: runLimits,
  StopRules: stopRules,
} as const;

/** True for a bound on time, which a starved client cannot judge. */
export function isTimeObjective({ measure }: Objective): boolean {
  return measure === 'ttft_ms' || measure === 'tpot_ms' || measure === 'e2e_ms';
}
