import * as z from 'zod';
import type { SavedWork } from '../events/books-event.ts';
import { readBody } from '../http/read-body.ts';
import { FORM_FIELD } from '../http/wire-form.ts';
import { IMAGE_QUALITIES } from '../models/image-models.ts';
import { modelField } from './message-schema.ts';

/** Multipart fields are text, JSON fields may be numbers. */
const onlyOne = z.union([z.literal(1), z.literal('1')], { error: 'only 1 is allowed' }).nullish();

const MOST_IMAGES = 10;

export const responseFormat = z.enum(['url', 'b64_json']);
export type ResponseFormat = z.infer<typeof responseFormat>;

export const imageGenerationRequest = z.looseObject({
  model: modelField,
  prompt: z.string({ error: 'is required and must be a string' }).min(1),
  n: onlyOne,
  size: z.string().nullish(),
  quality: z.enum(IMAGE_QUALITIES).nullish(),
  response_format: responseFormat.nullish(),
});

/** `image` is a string in JSON, or a marker that files came by multipart. */
export const imageEditRequest = imageGenerationRequest.extend({
  image: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'is required' })
    .register(FORM_FIELD, { type: 'string', format: 'binary' }),
});

export type ImageRequest = Extract<SavedWork, { kind: 'image' }>['request'];

const several = z.looseObject({
  n: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(MOST_IMAGES))
    .nullish(),
});

/** How many images a body asks for, where more than one may be; throws ApiError 400. */
export function imageCount(body: unknown): number {
  return readBody(several, body).n ?? 1;
}

/** The body as it asks for one of its images. */
export function ofOneImage(body: unknown): unknown {
  return body !== null && typeof body === 'object' ? { ...body, n: 1 } : body;
}

/** Reads the body of a generation or an edit; throws ApiError 400. */
export function readImageRequest(kind: 'generation' | 'edit', body: unknown): ImageRequest {
  const request = readBody(kind === 'edit' ? imageEditRequest : imageGenerationRequest, body);
  return {
    model: request.model,
    prompt: request.prompt,
    size: request.size ?? '1024x1024',
    quality: request.quality ?? 'auto',
    responseFormat: request.response_format ?? 'url',
  };
}
