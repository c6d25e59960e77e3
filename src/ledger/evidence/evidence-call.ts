import { z } from 'zod';
import type { CallRow, CallUnits, CallUsage } from '../../contracts/ledger-lines.ts';
import {
  BLAME_OF,
  ERROR_TYPES_OF,
  type ErrorType,
  errorTypeOfAnswer,
  OUTCOMES,
  type Outcome,
} from '../../contracts/outcome.ts';
import { unobservedCall } from '../../contracts/unobserved-call.ts';
import { PAID_KINDS, PATH_OF } from '../../core/call-kind.ts';
import { formatInstant, parseInstant } from '../../core/time.ts';

export const EVIDENCE_SCHEMA = 'weighbridge.evidence/1';

const name = z.string().min(1).max(512);
const count = z.number().int().nonnegative();
const instant = z.iso.datetime({ offset: true });

/**
 * One call as another program tells it: the short form of a ledger row. What is left out is not known.
 * `usage.input`
 * counts cache reads and writes in.
 */
export const evidenceCall = z.strictObject({
  schema: z.literal(EVIDENCE_SCHEMA),
  call_id: name,
  /** The same for all attempts of a call; default: the call id. */
  logical_id: name.nullish(),
  attempt: z.number().int().min(1).nullish(),
  kind: z.enum(PAID_KINDS),
  model: name,
  started_at: instant,
  ended_at: instant.nullish(),
  status: z.number().int().min(100).max(599).nullish(),
  outcome: z.enum(OUTCOMES),
  error_type: name.nullish(),
  stream: z.boolean().nullish(),
  request_id: name.nullish(),
  response_id: name.nullish(),
  job_id: name.nullish(),
  usage: z
    .strictObject({
      input: count.nullish(),
      output: count.nullish(),
      cache_read: count.nullish(),
      cache_write: count.nullish(),
      reasoning: count.nullish(),
    })
    .nullish(),
  units: z
    .strictObject({
      images: count.nullish(),
      size: name.nullish(),
      quality: name.nullish(),
      seconds: z.number().nonnegative().nullish(),
      resolution: name.nullish(),
    })
    .nullish(),
  /** Calls of tools that the target ran itself, by name. */
  tools: z.record(name, count).nullish(),
  max_tokens: count.nullish(),
  prompt_bytes: count.nullish(),
  /** Beginnings of the prompt, the shortest first; equal digests mean equal beginnings. */
  prefixes: z
    .array(z.strictObject({ bytes: count, digest: z.string().regex(/^[0-9a-f]{16}$/) }))
    .max(64)
    .nullish(),
  out_chars: count.nullish(),
  finish: name.nullish(),
  service_tier: name.nullish(),
  key_fp: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'expected the first 16 hex digits of the key’s SHA-256')
    .nullish(),
});

export type EvidenceCall = z.infer<typeof evidenceCall>;

/** The run of all rows that are made here: another program’s ledger, or a record by itself, told of them. */
export const EVIDENCE_RUN = 'evidence';

/** The row that the reconciler takes. A call whose end is not known ends when it starts. */
export function rowOfEvidence(call: EvidenceCall, instance: string): CallRow {
  const startedMs = parseInstant(call.started_at) ?? 0;
  const endedMs = parseInstant(call.ended_at ?? '') ?? startedMs;
  const errorType = errorTypeOf(call.outcome, call.status ?? null, call.error_type ?? null);
  const { usage, units } = call;
  return unobservedCall({
    run_id: EVIDENCE_RUN,
    instance,
    call_id: call.call_id,
    logical_id: call.logical_id ?? call.call_id,
    attempt: call.attempt ?? 1,
    scenario: EVIDENCE_RUN,
    kind: call.kind,
    path: PATH_OF[call.kind],
    stream: call.stream ?? false,
    model: call.model,
    key_fp: call.key_fp ?? null,
    started_at: formatInstant(startedMs),
    end_ms: Math.max(0, endedMs - startedMs),
    out_chars: call.out_chars ?? null,
    status: call.status ?? null,
    outcome: call.outcome,
    error_type: errorType,
    blame: BLAME_OF[errorType],
    request_id: call.request_id ?? null,
    request_ids: call.request_id == null ? [] : [call.request_id],
    response_id: call.response_id ?? null,
    service_tier: call.service_tier ?? null,
    finish: call.finish ?? null,
    usage: usage == null ? null : usageOf(usage),
    units: units == null ? null : unitsOf(units),
    tools: call.tools ?? null,
    max_tokens: call.max_tokens ?? null,
    prompt_bytes: call.prompt_bytes ?? null,
    prefixes: call.prefixes ?? null,
    job:
      call.job_id == null ? null : { id: call.job_id, statuses: [], queue_ms: null, run_ms: null, polls: 0 },
  });
}

function usageOf(usage: NonNullable<EvidenceCall['usage']>): CallUsage {
  return {
    input: usage.input ?? null,
    output: usage.output ?? null,
    cache_read: usage.cache_read ?? null,
    cache_write: usage.cache_write ?? null,
    reasoning: usage.reasoning ?? null,
    raw: null,
  };
}

function unitsOf(units: NonNullable<EvidenceCall['units']>): CallUnits {
  return {
    images: units.images ?? null,
    size: units.size ?? null,
    quality: units.quality ?? null,
    seconds: units.seconds ?? null,
    resolution: units.resolution ?? null,
  };
}

/** The most precise type that an outcome may have and the evidence supports. */
function errorTypeOf(outcome: Outcome, status: number | null, told: string | null): ErrorType {
  const allowed = ERROR_TYPES_OF[outcome];
  const named = allowed.find((type) => type === told);
  if (named !== undefined) return named;
  const byStatus = outcome === 'http_error' && status !== null ? errorTypeOfAnswer(status, null) : null;
  return allowed.find((type) => type === byStatus) ?? allowed[0];
}
