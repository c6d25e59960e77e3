import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { videoCharge } from '../charging/charge-amount.ts';
import { PaidCall } from '../charging/paid-call.ts';
import type { Gateway } from '../gateway.ts';
import { callRandom } from '../latency/call-random.ts';
import { drawLogNormal } from '../latency/log-normal.ts';
import { servingModel } from '../models/serving-model.ts';
import { ApiError, invalidRequest, notFound } from '../server/api-error.ts';
import type { PaidEndpoint } from '../server/endpoints.ts';
import { formBody } from '../server/form-body.ts';
import { requestFaults } from '../server/request-faults-of.ts';
import { requestKey } from '../server/request-key.ts';
import { requireKey } from '../server/require-key.ts';
import type { Task } from '../tasks/task.ts';
import { TASK_LIFE_S } from '../tasks/task-store.ts';
import { readRange } from './byte-range.ts';
import { readVideoRequest } from './video-request.ts';
import { VideoWork } from './video-work.ts';

const CREATE_ROUTES: readonly PaidEndpoint[] = ['/v1/videos', '/v1/videos/generations'];

interface TaskParams {
  Params: { task_id: string };
}

/** Video tasks: created, polled, downloaded. */
export function videoRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = requireKey(gateway);
  for (const endpoint of CREATE_ROUTES) {
    app.post(endpoint, { onRequest }, async (request) =>
      servedTask(gateway, await createVideo(gateway, endpoint, request)),
    );
  }
  app.get<TaskParams>('/v1/videos/:task_id', { onRequest }, async (request) =>
    servedTask(gateway, findTask(gateway, request)),
  );
  app.get<TaskParams>('/v1/videos/:task_id/content', { onRequest }, async (request, reply) =>
    sendContent(findTask(gateway, request), request.headers.range, reply),
  );
}

async function createVideo(
  gateway: Gateway,
  endpoint: PaidEndpoint,
  request: FastifyRequest,
): Promise<Task<VideoWork>> {
  const key = requestKey(request);
  const asked = readVideoRequest(await formBody(request));
  const model = servingModel(key, asked.model, 'video');
  if (asked.seconds > model.max_seconds) {
    throw invalidRequest(
      `Invalid value for 'seconds': the model '${model.id}' makes ${model.max_seconds} at most`,
    );
  }
  const price = videoCharge(model, asked.size, asked.seconds);
  if (price === null) {
    const sizes = model.tiers.map((tier) => tier.resolution).join(', ');
    throw invalidRequest(`Invalid value for 'size': the model '${model.id}' makes ${sizes}`);
  }
  const call = new PaidCall(gateway, {
    requestId: request.id,
    key,
    endpoint,
    kind: 'video',
    model: model.id,
    prompt: asked.prompt,
    reserve: price,
    faults: requestFaults(request),
  });
  const random = callRandom(gateway.seed, '/v1/videos', model.id, asked.prompt);
  return gateway.videoTasks.submit({
    accountId: key.account.id,
    work: new VideoWork(call, asked, price),
    queue_ms: drawLogNormal(random, gateway.latency.video_queue),
    run_ms: drawLogNormal(random, gateway.latency.video_run),
  });
}

function findTask(gateway: Gateway, request: FastifyRequest<TaskParams>): Task<VideoWork> {
  const task = gateway.videoTasks.find(request.params.task_id, requestKey(request).account.id);
  if (task === null) throw notFound('No such video task for this account', 'task_not_found');
  return task;
}

function servedTask({ videoTasks }: Gateway, task: Task<VideoWork>): object {
  const { model, seconds, size, prompt } = task.work.request;
  return {
    id: task.id,
    object: 'video',
    model,
    status: task.status,
    progress: videoTasks.progress(task),
    created_at: task.createdAt,
    completed_at: task.completedAt,
    expires_at: task.status === 'completed' ? task.createdAt + TASK_LIFE_S : null,
    seconds: String(seconds),
    size,
    prompt,
    remixed_from_video_id: null,
    error: task.error,
  };
}

function sendContent(
  task: Task<VideoWork>,
  rangeHeader: string | undefined,
  reply: FastifyReply,
): FastifyReply {
  if (task.status === 'failed')
    throw invalidRequest('The video task has failed and has no content', 'task_failed');
  if (task.status !== 'completed') {
    throw invalidRequest(`Task is not completed yet, current status: ${task.status}`, 'task_not_completed');
  }
  const file = task.work.file();
  reply.header('accept-ranges', 'bytes');
  const range = readRange(rangeHeader, file.length);
  if (range === 'unsatisfiable') {
    throw new ApiError({
      status: 416,
      type: 'invalid_request_error',
      message: 'The range is outside the file',
      headers: { 'content-range': `bytes */${file.length}` },
    });
  }
  reply.type('video/mp4');
  if (range === null) return reply.send(file);
  const { first, last } = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${file.length}`)
    .send(file.subarray(first, last + 1));
}
