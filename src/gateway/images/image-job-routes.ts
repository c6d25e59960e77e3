import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Gateway } from '../gateway.ts';
import { callRandom } from '../latency/call-random.ts';
import { drawLogNormal } from '../latency/log-normal.ts';
import { ApiError, notFound } from '../server/api-error.ts';
import { readBody } from '../server/read-body.ts';
import { requestKey } from '../server/request-key.ts';
import { requireKey } from '../server/require-key.ts';
import type { Task } from '../tasks/task.ts';
import { TASK_LIFE_S } from '../tasks/task-store.ts';
import { imageAnswer } from './image-answer.ts';
import { responseFormat } from './image-request.ts';
import { baseOf } from './image-routes.ts';
import type { ImageWork } from './image-work.ts';
import { type ImageRoute, submitImage } from './submit-image.ts';

const JOB_ROUTES: readonly ImageRoute[] = [
  { endpoint: '/v1/images/generations/jobs', kind: 'image_job', makes: 'generation', job: true },
  { endpoint: '/v1/images/edits/jobs', kind: 'image_edit_job', makes: 'edit', job: true },
];

export const resultQuery = z.object({ response_format: responseFormat.optional() });

interface JobParams {
  Params: { job_id: string };
}

/** Image jobs: submitted, polled, read once completed. */
export function imageJobRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = requireKey(gateway);
  const jobs = gateway.imageJobs;

  for (const route of JOB_ROUTES) {
    app.post(route.endpoint, { onRequest }, async (request, reply) => {
      const work = await submitImage(gateway, route, request);
      const random = callRandom(gateway.seed, route.endpoint, work.request.model, work.request.prompt);
      const job = jobs.submit({
        accountId: requestKey(request).account.id,
        work,
        queue_ms: drawLogNormal(random, gateway.latency.job_queue),
        run_ms: drawLogNormal(random, gateway.latency.job_run),
      });
      reply.code(202).header('location', `/v1/images/jobs/${job.id}`).header('retry-after', '1');
      return servedJob(gateway, job);
    });
  }

  app.get<JobParams>('/v1/images/jobs/:job_id', { onRequest }, async (request) =>
    servedJob(gateway, findJob(gateway, request)),
  );

  app.get<JobParams>('/v1/images/jobs/:job_id/result', { onRequest }, async (request) => {
    const format = readBody(resultQuery, request.query).response_format;
    const job = findJob(gateway, request);
    if (job.status === 'failed') throw conflict('job_failed', 'The image job has failed and has no result');
    if (job.status !== 'completed') {
      throw conflict('job_not_completed', `The image job is not completed; its status is ${job.status}`);
    }
    return imageAnswer(gateway, job.work, format ?? job.work.request.responseFormat, baseOf(request));
  });
}

function findJob(gateway: Gateway, request: FastifyRequest<JobParams>): Task<ImageWork> {
  const job = gateway.imageJobs.find(request.params.job_id, requestKey(request).account.id);
  if (job === null) throw notFound('No such image job for this account', 'job_not_found');
  return job;
}

function conflict(code: string, message: string): ApiError {
  return new ApiError({ status: 409, type: 'invalid_request_error', code, message });
}

function servedJob({ imageJobs }: Gateway, job: Task<ImageWork>): object {
  return {
    job_id: job.id,
    object: 'image.job',
    kind: job.work.kind,
    model: job.work.request.model,
    status: job.status,
    progress: imageJobs.progress(job),
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    expires_at: job.createdAt + TASK_LIFE_S,
    request_id: job.work.call.requestId,
    error: job.error,
  };
}
