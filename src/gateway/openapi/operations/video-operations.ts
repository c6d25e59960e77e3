import * as z from 'zod';
import { videoRequest } from '../../formats/video-request.ts';
import { idempotencyKey } from '../../requests/once-for-key.ts';
import { videoTask } from '../answers/media-answers.ts';
import {
  type AnswerHeader,
  MAKING_ERRORS,
  NO_CREDENTIAL,
  type Operation,
  type OperationAnswer,
  READ_ERRORS,
} from '../operation.ts';
import { linkQuery } from './image-operations.ts';

const RANGE = { range: z.string(), 'if-range': z.string() };

/** A file is sent whole or in part, with these headers beside those of files. */
function fileAnswers(...more: AnswerHeader[]): Readonly<Record<number, OperationAnswer>> {
  const content = { 'video/mp4': 'file' } as const;
  const headers: readonly AnswerHeader[] = ['accept-ranges', 'etag', ...more];
  return {
    200: { means: 'The whole file', content, headers },
    206: { means: 'The asked part of it', content, headers: [...headers, 'content-range'] },
  };
}

const create = {
  body: {
    schema: videoRequest,
    types: ['application/json', 'multipart/form-data'],
    examples: {
      short: { model: 'quartz-lite:i2v', prompt: 'A lighthouse', seconds: '4', size: '854x480' },
    },
  },
  answers: {
    200: {
      means: 'The task was accepted; it is no finished video',
      content: { 'application/json': videoTask },
    },
  },
  headers: { 'idempotency-key': idempotencyKey },
  errors: MAKING_ERRORS,
  links: {
    readVideo: { parameter: 'task_id', field: 'id' },
    readVideoContent: { parameter: 'task_id', field: 'id' },
  },
} as const;

export const VIDEO_OPERATIONS: readonly Operation[] = [
  { id: 'createVideo', path: '/v1/videos', summary: 'Create a video task', ...create },
  {
    id: 'createVideoGeneration',
    path: '/v1/videos/generations',
    summary: 'The same under another path',
    ...create,
  },
  {
    id: 'readVideo',
    path: '/v1/videos/{task_id}',
    summary: 'Status of a video task',
    answers: {
      200: { means: 'The task, also where it has failed', content: { 'application/json': videoTask } },
    },
    errors: [...READ_ERRORS, 404],
  },
  {
    id: 'readVideoContent',
    path: '/v1/videos/{task_id}/content',
    summary: 'File of a completed video',
    headers: RANGE,
    answers: fileAnswers('content-location'),
    errors: [...READ_ERRORS, 404, 416],
  },
  {
    id: 'readVideoFile',
    path: '/files/videos/{size}/{seconds}/{name}',
    summary: 'The file behind the signed link of a video task',
    security: NO_CREDENTIAL,
    query: linkQuery,
    headers: RANGE,
    answers: fileAnswers(),
    errors: [400, 403, 404, 416, 500],
  },
];
