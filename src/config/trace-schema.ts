import * as z from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { optional, refuse, wholeBetween } from './key-schemas.ts';
import { modelId } from './model-id.ts';
import { requestBody, whyReserved } from './request-body.ts';
import { textKeys } from './text-keys.ts';

const TRACE_FIELDS = [
  'at_ms',
  'at_s',
  'timestamp',
  'kind',
  'model',
  'prompt_tokens',
  'max_tokens',
  'stream',
] as const;
export type ReplayedField = (typeof TRACE_FIELDS)[number];

/** Starts replayed from a file, in place of `traffic`. */
export const trace = z
  .strictObject({
    file: z.string().min(1).describe('CSV or NDJSON of times, kinds and sizes; path relative to this file.'),
    columns: optional(
      z.partialRecord(z.enum(TRACE_FIELDS), z.string().min(1)),
      'Names of columns or keys in the file if they differ, such as `{ at_s: start, max_tokens: out }`.',
    ),
    speed: optional(
      z.number().min(0.001).max(1_000),
      'Factor over the pace of the trace: 2 replays it in half its time.',
    ),
    kind: optional(z.enum(PAID_KINDS), 'Kind of the lines that name none.'),
    model: optional(
      modelId,
      'Model of the lines that name none. Default: the cheapest priced one of the kind.',
    ),
    max_in_flight: optional(
      wholeBetween(1, 100_000),
      'Most calls in flight at once, for each scenario of the trace.',
    ),
    body: optional(requestBody, 'Merged into each request body, as in `traffic[].body`.'),
    stream: textKeys.stream.describe('Text kinds: share of calls that stream, for lines that do not say.'),
    prompt_tokens: textKeys.prompt_tokens.describe('Text kinds: size of prompts whose lines give no size.'),
    max_tokens: textKeys.max_tokens.describe('Text kinds: most tokens asked for, for lines that do not say.'),
  })
  .describe('Starts replayed from a file, instead of traffic.')
  .superRefine(({ body = {} }, context) => {
    for (const member of Object.keys(body)) {
      const why = whyReserved('chat', member);
      if (why !== null) refuse(context, ['body', member], why);
    }
  });

export type TraceFile = z.infer<typeof trace>;
