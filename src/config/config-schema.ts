import * as z from 'zod';
import { DIALECT_SETTINGS } from '../contracts/dialect.ts';
import { FAULT_CLASSES } from '../contracts/fault-class.ts';
import { parseInstant } from '../core/time.ts';
import { accept } from './accept-schema.ts';
import { billing } from './billing-schema.ts';
import { budget } from './budget-schema.ts';
import { duration, positiveDuration } from './duration.ts';
import { http, limits, retry } from './engine-schema.ts';
import { optional, refuse, refuseTwins, share, wholeBetween } from './key-schemas.ts';
import { metrics } from './metrics-schema.ts';
import { modelId } from './model-id.ts';
import { moneyText } from './money-text.ts';
import { probe } from './probe-schema.ts';
import { rateScale } from './rate.ts';
import { targetUrl } from './target-bases.ts';
import { targetHeaders } from './target-headers.ts';
import { trace } from './trace-schema.ts';
import { nameTraffic } from './traffic-names.ts';
import { checkTraffic, objective } from './traffic-rules.ts';
import { trafficKeys } from './traffic-schema.ts';

/** One scenario: calls of one kind at one rate. */
export const trafficEntry = trafficKeys.superRefine(checkTraffic);

export const permission = z
  .strictObject({
    by: z.string().min(1, { error: 'must name who gave the permission' }).describe('Who allowed it.'),
    until: z
      .string()
      .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && parseInstant(text) !== null, {
        error: 'must be a day or a moment in UTC such as "2026-12-31" or "2026-12-31T18:00:00Z"',
      })
      .describe('End of the permission, UTC.'),
    max_rps: optional(
      z.number().min(0).max(100_000),
      'Most calls per second allowed. Default: as many as are planned.',
    ),
    max_in_flight: optional(
      wholeBetween(1, 1_000_000),
      'Most calls in flight allowed. Default: as many as are planned.',
    ),
  })
  .describe('Needed above 2 calls/s or 5 in flight on a target that is not loopback; the report shows it.');

const target = z.strictObject({
  url: optional(targetUrl, 'Address of the gateway: root, /v1 or /api form. Default: the embedded gateway.'),
  name: optional(z.string().min(1).max(80), 'Name in reports. Default: host and port.'),
  key: optional(
    z.enum(['shared', 'exclusive']),
    'exclusive: nobody else uses the key, so a record without a call is a finding.',
  ),
  tokenizer: optional(
    z.string().min(1),
    'Who counts output tokens: server (its usage), o200k, or the path of a tokenizer.json, relative to this file. The last two count the texts that keep_text keeps.',
  ),
  headers: optional(
    targetHeaders,
    'Headers of every request: a text, or for a secret `env:NAME` or `file:PATH`.',
  ),
  dialect: optional(
    z.enum(DIALECT_SETTINGS),
    'How the target serves usage and prices: interface, new-api, litellm, or plain for a server without a bill. auto detects it, and keeps what it detected.',
  ),
  stream_end: optional(
    z.enum(['auto', 'done', 'finish_reason']),
    'What ends a chat stream: done asks for `[DONE]`; finish_reason accepts a stream without it as complete if each choice says why it stopped. auto: done; on a target without a bill, either one.',
  ),
  permission: permission.optional(),
  budget: optional(
    budget,
    'What the target may cost. A run or audit whose cap does not fit is not started (exit 6).',
  ),
});

const timeouts = z.strictObject({
  connect: optional(positiveDuration, 'Until the connection is open.'),
  headers: optional(positiveDuration, 'Until the headers of the answer arrive.'),
  first_token: optional(positiveDuration, 'Until the first token of a stream.'),
  idle: optional(positiveDuration, 'Between two events of a stream.'),
  total: optional(positiveDuration, 'Whole call.'),
  task: optional(positiveDuration, 'From submit to the final state of a job or video task.'),
});

/** weighbridge.yaml, strict. Every key but `version` may be left out; defaults are in `defaults.ts`. */
export const configSchema = z
  .strictObject({
    version: z.literal(1).describe('Version of this format.'),
    target: target.optional(),
    duration: optional(positiveDuration, 'How long calls are started.'),
    seed: optional(z.int().min(0), 'The same seed plans the same calls.'),
    drain: optional(duration, 'How long calls in flight may finish after the last start.'),
    warm_up: optional(
      duration,
      'First part of the duration. Calls planned in it do not count in latencies and rates.',
    ),
    cool_down: optional(duration, 'The same for its last part.'),
    calls_per_vu: optional(
      wholeBetween(1, 1_000),
      'Calls that one virtual user of k6 holds at once: 1 isolates them, more saves memory.',
    ),
    keep_text: optional(
      z.boolean(),
      'Keep the text of answers in the run folder, in files that only their owner can read, so that the audit can count tokens. The files contain whatever the models answered.',
    ),
    timeouts: timeouts.optional(),
    retry: retry.optional(),
    http: http.optional(),
    limits: limits.optional(),
    rate_scale: optional(
      rateScale,
      'Factor over every rate, as quoted decimal text such as "0.5". Default: "1".',
    ),
    traffic: optional(z.array(trafficEntry).min(1).max(64), 'What is called, and how often.'),
    trace: trace.optional(),
    models: z
      .record(
        modelId,
        z.strictObject({
          max_output: optional(
            wholeBetween(1, 100_000_000),
            "Largest output in tokens, for the worst case. Default: the price book's, else 200000.",
          ),
          max_in_flight: optional(
            wholeBetween(1, 100_000),
            'Most calls of this model in flight; a start beyond it is dropped and counted.',
          ),
          max_usd: optional(moneyText, 'Part of the spend cap that calls of this model may use, quoted.'),
        }),
      )
      .optional(),
    objectives: optional(z.array(objective).max(200), 'Bounds that decide exit code 4.'),
    tolerances: z
      .strictObject({
        min_checked: optional(
          share,
          'Least share of the charged USD that must be checked. Below it: exit 7. Without a ledger, only what records can decide counts.',
        ),
        gate: optional(z.enum(['S1', 'S2', 'S3', 'S4']), 'Findings of this severity and above give exit 5.'),
        gate_usd: optional(
          moneyText,
          '… and only where their difference in USD is above this in either direction, quoted.',
        ),
        gate_classes: optional(
          z.array(z.enum(FAULT_CLASSES)).max(FAULT_CLASSES.length),
          '… and only of these classes. Default: all.',
        ),
      })
      .optional(),
    accept: optional(accept, 'Known findings: they are shown, but do not cause exit code 5.'),
    claims: z
      .strictObject({
        minimum_usd: optional(
          moneyText,
          'Smallest sum of a cause that a letter claims, quoted. Default: none.',
        ),
      })
      .optional(),
    billing: billing.optional(),
    settle: z
      .strictObject({
        wait: optional(duration, 'How long records may take to settle before they are judged.'),
        poll: optional(positiveDuration, 'Time between two reads while it waits.'),
      })
      .optional(),
    archive: z
      .strictObject({
        days: optional(
          wholeBetween(1, 36_500),
          'Documents last served longer ago than this are deleted from the archive. Audits reach back as far.',
        ),
      })
      .optional(),
    spend: z
      .strictObject({
        max_usd: optional(
          moneyText,
          'Most that a run may spend in the worst case, quoted. Required for your own target with a bill.',
        ),
        max_calls: optional(wholeBetween(1, 1_000_000_000), 'Most calls of a run, retries included.'),
        assume_usd_per_call: optional(
          moneyText,
          'Your guess of the cost of a call if the target has no prices, quoted. It limits the calls within max_usd. It is not added to any known amount.',
        ),
      })
      .optional(),
    metrics: metrics.optional(),
    probe: probe.optional(),
  })
  .superRefine((config, context) => {
    const named = nameTraffic(config.traffic ?? []);
    const names = named.map(({ name }) => name);
    refuseTwins(context, 'traffic', names, ['traffic']);
    // A virtual user that holds many calls makes them all in one iteration of k6.
    if (config.http?.reuse === 'iteration' && (config.calls_per_vu ?? 1) > 1) {
      const message = 'must be vu or none where calls_per_vu is above 1: its calls share one iteration';
      refuse(context, ['http', 'reuse'], message);
    }
    const { tokenizer = 'server' } = config.target ?? {};
    if (tokenizer !== 'server' && config.keep_text !== true) {
      const message =
        'must be server where keep_text is not true: it counts the texts of answers, which are dropped';
      refuse(context, ['target', 'tokenizer'], message);
    }
    if (config.traffic === undefined) return;
    if (config.trace !== undefined) {
      refuse(context, ['traffic'], 'does not go with trace: the scenarios come out of the trace');
    }
    (config.objectives ?? []).forEach((entry, index) => {
      const matches = named.some(({ name, kind }) => name === entry.scenario || kind === entry.kind);
      if (matches || (entry.scenario === undefined) === (entry.kind === undefined)) return;
      const key = entry.scenario === undefined ? 'kind' : 'scenario';
      const names = [...new Set(named.map((traffic) => traffic[key === 'kind' ? 'kind' : 'name']))];
      refuse(context, ['objectives', index, key], `must be one of ${names.join(', ')}`);
    });
  });

export type ConfigFile = z.infer<typeof configSchema>;
