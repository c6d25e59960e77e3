import * as z from 'zod';
import type { SavedWork } from '../events/books-event.ts';
import { invalidRequest } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import { WIRE_FORM } from '../http/wire-form.ts';
import { modelField } from './message-schema.ts';

const DEFAULT_SECONDS = 4;
const DEFAULT_SIZE = '1280x720';
const MAX_REFERENCE_SECONDS = 10;
const MAX_REFERENCE_LINES = 720;

/** A whole number of seconds as JSON number or text. */
const seconds = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,4}$/)
        .transform(Number),
    ],
    { error: 'must be a whole number of seconds' },
  )
  .pipe(z.int().min(1))
  .register(WIRE_FORM, {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^0*[1-9][0-9]*$', maxLength: 4 },
    ],
  })
  .nullish();

export const videoRequest = z.looseObject({
  model: modelField,
  prompt: z.string({ error: 'is required and must be a string' }).min(1),
  seconds,
  duration: seconds,
  size: z
    .string()
    .regex(/^\d{2,5}x\d{2,5}$/, { error: 'must be width x height such as 1280x720' })
    .nullish(),
  input_reference: z.unknown().optional(),
  n: z.union([z.literal(1), z.literal('1')], { error: 'only 1 is allowed' }).nullish(),
});

/** Its size is width x height. */
export type VideoRequest = Extract<SavedWork, { kind: 'video' }>['request'];

/** Reads the body of a video request; throws ApiError 400. */
export function readVideoRequest(body: unknown): VideoRequest {
  const request = readBody(videoRequest, body);
  const length = request.seconds ?? request.duration ?? DEFAULT_SECONDS;
  const size = request.size ?? DEFAULT_SIZE;
  if (hasReference(request)) checkReference(length, size);
  return { model: request.model, prompt: request.prompt, seconds: length, size };
}

/** Multipart names the parts of an object, as in `input_reference[image_url]`. */
function hasReference(request: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(request).some(
    ([name, value]) => /^input_reference(\[|$)/.test(name) && value !== null && value !== undefined,
  );
}

/** interface §4 note 3. */
function checkReference(length: number, size: string): void {
  const lines = Math.min(...size.split('x').map(Number));
  if (length <= MAX_REFERENCE_SECONDS && lines <= MAX_REFERENCE_LINES) return;
  throw invalidRequest('Reference-based videos above 10 seconds or above 720p need different parameters');
}
