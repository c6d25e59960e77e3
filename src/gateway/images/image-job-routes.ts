import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { CallRandom } from '../chance/call-random.ts';
import { responseFormat } from '../formats/image-request.ts';
import { conflict, notFound } from '../http/api-error.ts';
import { readBody } from '../http/read-body.ts';
import type { Gateway } from '../parts/gateway.ts';
import { onceForKey } from '../requests/once-for-key.ts';
import { requestKey } from '../requests/request-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { recordedAs, toldInBody } from '../requests/told-request-id.ts';
import type { ImageWork } from '../tasks/priced-work.ts';
import type { Task } from '../tasks/task.ts';
import { TASK_LIFE_S } from '../tasks/task-store.ts';
import { taskWord } from '../tasks/task-words.ts';
import { imageAnswer } from './image-answer.ts';
import { baseOf } from './image-routes.ts';
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
    const serve = onceForKey(gateway, { what: 'image', path: route.endpoint }, async (request, reply) => {
      const id = jobs.newId();
      const work = await submitImage(gateway, route, request, recordedAs(id, gateway.readings));
      const random = new CallRandom(
        gateway.seed,
        route.endpoint,
        work.request.model,
        work.request.prompt,
      ).times();
      const job = jobs.submit({
        id,
        accountId: requestKey(request).account.id,
        work,
        queue_ms: gateway.latency.draw('job_queue', random),
        run_ms: gateway.latency.draw('job_run', random),
      });
      reply.code(202).header('location', `/v1/images/jobs/${job.id}`).header('retry-after', '1');
      return servedJob(gateway, job);
    });
    app.post(route.endpoint, { onRequest }, serve);
  }

  app.get<JobParams>('/v1/images/jobs/:job_id', { onRequest }, async (request) =>
    servedJob(gateway, ofAccount(jobs.poll(request.params.job_id, requestKey(request).account.id))),
  );

  app.get<JobParams>('/v1/images/jobs/:job_id/result', { onRequest }, async (request) => {
    const format = readBody(resultQuery, request.query).response_format;
    const job = ofAccount(jobs.find(request.params.job_id, requestKey(request).account.id));
    if (job.status === 'failed') throw conflict('job_failed', 'The image job has failed and has no result');
    if (job.status !== 'completed') {
      throw conflict('job_not_completed', `The image job is not completed; its status is ${job.status}`);
    }
    const refusal = job.work.faults.first((hooks) => hooks.refused?.());
    if (refusal === 404) throw notFound('The image job has no result', 'job_not_found');
    if (refusal === 409) throw conflict('job_not_completed', 'The image job is not completed');
    const { work } = jobs.servedFor(job, () => true);
    return imageAnswer(gateway, work, format ?? job.work.request.responseFormat, baseOf(request));
  });
}

function ofAccount(job: Task<ImageWork> | null): Task<ImageWork> {
  if (job === null) throw notFound('No such image job for this account', 'job_not_found');
  return job;
}

function servedJob({ imageJobs, readings }: Gateway, job: Task<ImageWork>): object {
  const { kind, request, call, faults } = job.work;
  const { status, progress, error } = imageJobs.view(job);
  return {
    job_id: job.id,
    object: 'image.job',
    kind,
    model: request.model,
    status: taskWord(status, readings),
    progress,
    created_at: faults.through(job.createdAt, (hooks, told) => hooks.createdAt?.(told)),
    started_at: status === 'queued' ? null : job.startedAt,
    completed_at: status === job.status ? job.completedAt : null,
    expires_at: job.createdAt + TASK_LIFE_S,
    ...(toldInBody(readings) ? { request_id: call.recordedId } : {}),
    error,
  };
}
