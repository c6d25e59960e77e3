import * as z from 'zod';
import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { endpoints, paidCall } from '../hit.ts';
import { errorAnswerOf, refusal, refusalBy } from './error-answer-of.ts';

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

/** Refusals of a request that is right. */
export const REFUSED_REQUESTS: readonly FaultDefinition[] = [
  refusal({
    id: 'http.404_model',
    summary: 'Does not know the model of the call: 404, code `model_not_found`.',
    hits: paidCall,
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
    answer: {
      status: 404,
      type,
      code: 'job_not_found',
      message: 'No such image job for this account',
    },
  }),
  refusal({
    id: 'http.404_task',
    summary: 'Does not know a video task of this account: 404.',
    hits: TASK_READS,
    answer: {
      status: 404,
      type,
      code: 'task_not_found',
      message: 'No such video task for this account',
    },
  }),
  refusal({
    id: 'http.409_not_ready',
    summary: 'Says that a result is not ready, even if it is: 409.',
    hits: RESULT_READS,
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
    answer: {
      status: 409,
      type,
      code: 'idempotency_conflict',
      message: 'This Idempotency-Key was used for another request; use a new key',
    },
  }),
  refusal({
    id: 'http.410_expired',
    summary: 'Says that a paid result is gone: 410.',
    hits: RESULT_READS,
    answer: (context) =>
      errorAnswerOf(context, {
        status: 410,
        type,
        code: context.subject.endpoint.startsWith('/v1/videos') ? 'video_expired' : 'image_result_expired',
        message: 'The result has expired and is no longer kept',
      }),
  }),
  providerRefusal(
    400,
    'http.400_provider',
    'Refuses a well-formed call',
    'messages.0: all parts of a message must hold text that is not empty',
  ),
  providerRefusal(
    413,
    'http.413',
    'Refuses the size of a call',
    'request_too_large: the request exceeds the maximum number of bytes',
  ),
  providerRefusal(
    422,
    'http.422',
    'Refuses the content of a call',
    'value_error: the value is not a valid enumeration member',
  ),
];

/** interface §7: 400, 413 and 422 carry the provider's own text. */
function providerRefusal(status: number, id: string, summary: string, usual: string): FaultDefinition {
  return refusalBy({
    id,
    summary: `${summary} by the provider's own text: ${status}.`,
    hits: paidCall,
    shape: { text: z.string().min(1).max(500).default(usual).describe("The provider's own text.") },
    answer: (context, { text }) => errorAnswerOf(context, { status, type, message: text }),
  });
}
