import * as z from 'zod';
import { imageEditRequest, imageGenerationRequest } from '../../formats/image-request.ts';
import { resultQuery } from '../../images/image-job-routes.ts';
import { idempotencyKey } from '../../requests/once-for-key.ts';
import { imageJob, imageResponse } from '../answers/media-answers.ts';
import { MAKING_ERRORS, NO_CREDENTIAL, type Operation, READ_ERRORS } from '../operation.ts';

const asked = { model: 'lumen-image-mini', prompt: 'A lighthouse', size: '1024x1024', n: 1 };
const generation = {
  schema: imageGenerationRequest,
  types: ['application/json', 'multipart/form-data'],
  examples: { link: asked, inside: { ...asked, quality: 'low', response_format: 'b64_json' } },
} as const;
const edit = {
  schema: imageEditRequest,
  types: ['application/json', 'multipart/form-data'],
  examples: { link: { ...asked, image: 'data:image/png;base64,iVBORw0KGgo=' } },
} as const;
const image = { means: 'The image', content: { 'application/json': imageResponse } } as const;
const made = { ...image, headers: ['idempotency-replayed'] } as const;
const accepted = {
  means: 'The job was accepted',
  content: { 'application/json': imageJob },
  headers: ['location', 'retry-after', 'idempotency-replayed'],
} as const;
const reads = {
  readImageJob: { parameter: 'job_id', field: 'job_id' },
  readImageJobResult: { parameter: 'job_id', field: 'job_id' },
};

const MAKING_HEADERS = { 'idempotency-key': idempotencyKey };

/** The query of a signed link; a wrong one is refused with 403, whatever is wrong about it. */
export const linkQuery = z.object({ exp: z.string(), sig: z.string() });

export const IMAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'generateImage',
    path: '/v1/images/generations',
    summary: 'Make an image',
    body: generation,
    answers: { 200: made },
    headers: MAKING_HEADERS,
    errors: MAKING_ERRORS,
  },
  {
    id: 'submitImageGeneration',
    path: '/v1/images/generations/jobs',
    summary: 'Make an image as a job',
    body: generation,
    answers: { 202: accepted },
    headers: MAKING_HEADERS,
    errors: MAKING_ERRORS,
    links: reads,
  },
  {
    id: 'editImage',
    path: '/v1/images/edits',
    summary: 'Edit an image',
    body: edit,
    answers: { 200: made },
    headers: MAKING_HEADERS,
    errors: MAKING_ERRORS,
  },
  {
    id: 'submitImageEdit',
    path: '/v1/images/edits/jobs',
    summary: 'Edit an image as a job',
    body: edit,
    answers: { 202: accepted },
    headers: MAKING_HEADERS,
    errors: MAKING_ERRORS,
    links: reads,
  },
  {
    id: 'readImageJob',
    path: '/v1/images/jobs/{job_id}',
    summary: 'Status of an image job',
    answers: {
      200: { means: 'The job, also where it has failed', content: { 'application/json': imageJob } },
    },
    errors: [...READ_ERRORS, 404],
  },
  {
    id: 'readImageJobResult',
    path: '/v1/images/jobs/{job_id}/result',
    summary: 'Image of a completed job',
    query: resultQuery,
    answers: { 200: image },
    errors: [...READ_ERRORS, 404, 409],
  },
  {
    id: 'readImageFile',
    path: '/files/images/{size}/{name}',
    summary: 'The file behind a signed link of an image response',
    security: NO_CREDENTIAL,
    query: linkQuery,
    answers: { 200: { means: 'The image', content: { 'image/png': 'file' } } },
    errors: [400, 403, 404, 500],
  },
];
