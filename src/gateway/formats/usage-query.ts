import * as z from 'zod';
import { MAX_USAGE_WINDOW_S, SECONDS_PER_DAY } from '../../core/time.ts';
import type { RecordSelection } from '../charging/record-store.ts';
import { invalidRequest } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import { WIRE_FORM } from '../http/wire-form.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';

const DEFAULT_WINDOW_S = BigInt(30 * SECONDS_PER_DAY);
const MAX_MODEL_CHARACTERS = 191;
const MAX_REQUEST_ID_CHARACTERS = 64;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** An int64 of at least 1 (interface §8). */
const timestamp = z
  .string({ error: 'must be given once' })
  .regex(/^\d{1,19}$/, { error: 'must be an integer', abort: true })
  .refine((text) => BigInt(text) >= 1n && BigInt(text) < 2n ** 63n, {
    error: 'must be an int64 of at least 1',
  })
  .register(WIRE_FORM, { type: 'integer', format: 'int64', minimum: 1 })
  .transform(BigInt)
  .optional();

function filter(most: number) {
  return z
    .string({ error: 'must be given once' })
    .refine((text) => [...text].length <= most, { error: `must have at most ${most} characters` })
    .register(WIRE_FORM, { type: 'string', maxLength: most })
    .transform((text) => (text === '' ? null : text))
    .default(null);
}

export const usageParameters = z.object({
  start_time: timestamp,
  end_time: timestamp,
  model: filter(MAX_MODEL_CHARACTERS),
  request_id: filter(MAX_REQUEST_ID_CHARACTERS),
});

export const pageParameters = pageParametersOf(DEFAULT_LIMIT, MAX_LIMIT);

/** The query of a page under a default and a largest `limit`. */
function pageParametersOf(fewest: number, most: number, cuts = false) {
  return usageParameters.extend({
    limit: z
      .string({ error: 'must be given once' })
      .regex(/^\d{1,6}$/, { error: 'must be an integer' })
      .register(WIRE_FORM, { type: 'integer', minimum: 1, maximum: most, default: fewest })
      .transform((text) => (cuts ? Math.min(Number(text), most) : Number(text)))
      .pipe(z.int().min(1).max(most))
      .default(fewest),
    before: z.string({ error: 'must be given once' }).default(''),
  });
}

/** Unix seconds of the whole int64 range, `end` outside. */
export interface QueriedWindow {
  readonly start: bigint;
  readonly end: bigint;
}

/** With the window as it was asked for; no record lies beyond what a number holds exactly. */
export interface AskedSelection extends RecordSelection {
  readonly window: QueriedWindow;
}

export interface PageQuery {
  readonly times: { readonly start: bigint | null; readonly end: bigint | null };
  readonly model: string | null;
  readonly requestId: string | null;
  readonly limit: number;
  /** Empty on the first page. */
  readonly before: string;
}

/** Reads the query of `/v1/usage`; throws 400 by the limits of interface §8. */
export function readUsageQuery(query: unknown, now_s: number): AskedSelection {
  const { start_time, end_time, model, request_id } = readBody(usageParameters, query);
  const window = usageWindow({ start: start_time ?? null, end: end_time ?? null }, now_s);
  return { ...window, model, requestId: request_id };
}

export function readPageQuery(query: unknown, readings: Readings = OWN_READINGS): PageQuery {
  const { start_time, end_time, model, request_id, limit, before } = readBody(parametersFor(readings), query);
  return {
    times: { start: start_time ?? null, end: end_time ?? null },
    model,
    requestId: request_id,
    limit,
    before,
  };
}

/** Made once for each gateway: a schema is dear to build. */
const PARAMETERS = new WeakMap<Readings, typeof pageParameters>([[OWN_READINGS, pageParameters]]);

function parametersFor(readings: Readings): typeof pageParameters {
  const held = PARAMETERS.get(readings);
  if (held !== undefined) return held;
  const { page_default, page_max, page_above_max } = readings;
  const made = pageParametersOf(page_default, page_max, page_above_max === 'cut');
  PARAMETERS.set(readings, made);
  return made;
}

/** `now_s` is the default end: outside the window, so the current second has to be below it. */
export function usageWindow(
  times: PageQuery['times'],
  now_s: number,
): Pick<AskedSelection, 'start' | 'end' | 'window'> {
  const end = times.end ?? BigInt(now_s);
  const start = times.start ?? (end > DEFAULT_WINDOW_S ? end - DEFAULT_WINDOW_S : 1n);
  if (end <= start) throw invalidRequest('Invalid window: end_time must be after start_time');
  if (end - start > MAX_USAGE_WINDOW_S) throw invalidRequest('Invalid window: it may span 31 days at most');
  return { start: exactNumber(start), end: exactNumber(end), window: { start, end } };
}

function exactNumber(time: bigint): number {
  return time > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(time);
}
