import * as z from 'zod';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { errorAnswerOf, refusal } from './error-answer-of.ts';
import { anyPaidCall, endpoints } from './hit.ts';

const type = 'invalid_request_error';

const JOB_READS = endpoints('/v1/images/jobs/{job_id}', '/v1/images/jobs/{job_id}/result');
const TASK_READS = endpoints('/v1/videos/{task_id}', '/v1/videos/{task_id}/content');
const RESULT_READS = endpoints('/v1/images/jobs/{job_id}/result', '/v1/videos/{task_id}/content');

const MEDIA_CALLS = endpoints(
  '/v1/images/generations',
  '/v1/images/generations/jobs',
  '/v1/images/edits',
  '/v1/images/edits/jobs',
  '/v1/videos',
  '/v1/videos/generations',
);

/** interface §7: 400, 413 and 422 carry the provider's own text. */
function providerText(usual: string) {
  return { text: z.string().min(1).max(500).default(usual).describe("The provider's own text.") };
}

/** Refusals of a request that is right. */
export const REFUSED_REQUESTS: readonly FaultDefinition[] = [
  refusal({
    id: 'http.404_model',
    summary: 'Does not know the model of the call: 404, code `model_not_found`.',
    hits: anyPaidCall,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 404,
        type,
        code: 'model_not_found',
        message: `The model '${context.subject.model ?? ''}' does not exist or this key has no access to it`,
      }),
  }),
  refusal({
    id: 'http.404_job',
    summary: 'Does not know an image job of this account: 404.',
    hits: JOB_READS,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 404,
        type,
        code: 'job_not_found',
        message: 'No such image job for this account',
      }),
  }),
  refusal({
    id: 'http.404_task',
    summary: 'Does not know a video task of this account: 404.',
    hits: TASK_READS,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 404,
        type,
        code: 'task_not_found',
        message: 'No such video task for this account',
      }),
  }),
  refusal({
    id: 'http.409_not_ready',
    summary: 'Says of a result that it is not ready, whether it is or not: 409.',
    hits: RESULT_READS,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 409,
        type,
        code: context.subject.endpoint.startsWith('/v1/videos') ? 'task_not_completed' : 'job_not_completed',
        message: 'The result is not ready; its status is in_progress',
      }),
  }),
  refusal({
    id: 'http.409_conflict',
    summary: 'Says that the call was sent before with another body: 409, code `idempotency_conflict`.',
    hits: MEDIA_CALLS,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 409,
        type,
        code: 'idempotency_conflict',
        message: 'This Idempotency-Key was used for another request; use a new key',
      }),
  }),
  refusal({
    id: 'http.410_expired',
    summary: 'Says of a result that was paid for that it is gone: 410.',
    hits: RESULT_READS,
    shape: {},
    answer: (context) =>
      errorAnswerOf(context, {
        status: 410,
        type,
        code: context.subject.endpoint.startsWith('/v1/videos') ? 'video_expired' : 'image_result_expired',
        message: 'The result has expired and is no longer kept',
      }),
  }),
  refusal({
    id: 'http.400_provider',
    summary: "Refuses a well-formed call by the provider's own text: 400.",
    hits: anyPaidCall,
    shape: providerText('messages.0: all parts of a message must hold text that is not empty'),
    answer: (context, { text }) => errorAnswerOf(context, { status: 400, type, message: text }),
  }),
  refusal({
    id: 'http.413',
    summary: "Refuses the size of a call by the provider's own text: 413.",
    hits: anyPaidCall,
    shape: providerText('request_too_large: the request exceeds the maximum number of bytes'),
    answer: (context, { text }) => errorAnswerOf(context, { status: 413, type, message: text }),
  }),
  refusal({
    id: 'http.422',
    summary: "Refuses the content of a call by the provider's own text: 422.",
    hits: anyPaidCall,
    shape: providerText('value_error: the value is not a valid enumeration member'),
    answer: (context, { text }) => errorAnswerOf(context, { status: 422, type, message: text }),
  }),
];
