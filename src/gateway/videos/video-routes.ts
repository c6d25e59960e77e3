import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServedCall } from '../calls/paid-call.ts';
import { CallRandom } from '../chance/call-random.ts';
import { videoCharge } from '../charging/charge-amount.ts';
import { readVideoRequest } from '../formats/video-request.ts';
import { ApiError, conflict, invalidRequest, notFound } from '../http/api-error.ts';
import type { PaidEndpoint } from '../http/endpoints.ts';
import { formBody } from '../http/form-body.ts';
import { LINK_LIFE_S } from '../http/link-signer.ts';
import { baseOf } from '../images/image-routes.ts';
import { requireLink } from '../images/require-link.ts';
import { type VideoFile, videoFile } from '../media/mp4.ts';
import type { Gateway } from '../parts/gateway.ts';
import { chargeRule } from '../readings/charge-rule.ts';
import { callNote } from '../requests/call-note.ts';
import { onceForKey } from '../requests/once-for-key.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { servingModel } from '../requests/serving-model.ts';
import { recordedAs } from '../requests/told-request-id.ts';
import { VideoWork } from '../tasks/priced-work.ts';
import type { Task } from '../tasks/task.ts';
import { TASK_LIFE_S } from '../tasks/task-store.ts';
import { taskWord } from '../tasks/task-words.ts';
import { unixSeconds } from '../time/clock.ts';

const CREATE_ROUTES: readonly PaidEndpoint[] = ['/v1/videos', '/v1/videos/generations'];

interface TaskParams {
  Params: { task_id: string };
}

interface FileParams {
  Params: { size: string; seconds: string };
}

/** Video tasks: created, polled, downloaded. */
export function videoRoutes(app: FastifyInstance, gateway: Gateway): void {
  const onRequest = requireKey(gateway);
  for (const path of gateway.dialect?.videoPaths ?? CREATE_ROUTES) {
    const endpoint = CREATE_ROUTES.find((known) => known === path) ?? '/v1/videos';
    const serve = onceForKey(gateway, { what: 'video', path: '/v1/videos' }, async (request, reply) =>
      servedTask(gateway, await createVideo(gateway, endpoint, request, reply), baseOf(request)),
    );
    app.post(path, { onRequest }, serve);
  }
  app.get<TaskParams>('/v1/videos/:task_id', { onRequest }, async (request) => {
    const task = gateway.videoTasks.poll(request.params.task_id, requestKey(request).account.id);
    return servedTask(gateway, ofAccount(task), baseOf(request));
  });
  app.get<TaskParams>('/v1/videos/:task_id/content', { onRequest }, async (request, reply) => {
    const task = gateway.videoTasks.find(request.params.task_id, requestKey(request).account.id);
    return sendContent(gateway, ofAccount(task), request, reply);
  });
  app.get<FileParams>(VIDEO_FILE_ROUTE, async (request, reply) => {
    requireLink(gateway, request);
    const { size, seconds } = request.params;
    return sendVideo(request, reply, videoFile(size, Number(seconds)));
  });
}

async function createVideo(
  gateway: Gateway,
  endpoint: PaidEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Task<VideoWork>> {
  const { dialect } = gateway;
  const key = requestKey(request);
  const body = await formBody(request);
  const asked = readVideoRequest(dialect?.videoBody?.(body) ?? body);
  const model = gateway.prices.priced(servingModel(key, asked.model, 'video'));
  if (asked.seconds > model.max_seconds) {
    throw invalidRequest(
      `Invalid value for 'seconds': the model '${model.id}' makes ${model.max_seconds} at most`,
    );
  }
  const rule = chargeRule(gateway, key, model);
  const { size, seconds } = asked;
  const toPrice = { key, model, size, seconds, requestId: request.id };
  const price =
    dialect?.videoCharge === undefined
      ? videoCharge(model, size, seconds, rule)
      : dialect.videoCharge(toPrice);
  if (price === null) {
    const sizes = model.tiers.map((tier) => tier.resolution).join(', ');
    throw invalidRequest(`Invalid value for 'size': the model '${model.id}' makes ${sizes}`);
  }
  const id = gateway.videoTasks.newId();
  const call = new ServedCall(gateway, {
    requestId: request.id,
    ...recordedAs(id, gateway.readings),
    key,
    endpoint,
    kind: 'video',
    model: model.id,
    prompt: asked.prompt,
    reserve: price,
    faults: requestFaults(request),
    rule,
    work: { kind: 'video', model, size, seconds },
    ...callNote(gateway, { headers: request.headers, body }, id),
  });
  if (dialect !== null) reply.headers(dialect.videoHeaders?.(toPrice) ?? {});
  const random = new CallRandom(gateway.seed, '/v1/videos', model.id, asked.prompt).times();
  return gateway.videoTasks.submit({
    id,
    accountId: key.account.id,
    work: new VideoWork(call, asked, price),
    queue_ms: gateway.latency.draw('video_queue', random),
    run_ms: gateway.latency.draw('video_run', random),
  });
}

function ofAccount(task: Task<VideoWork> | null): Task<VideoWork> {
  if (task === null) throw notFound('No such video task for this account', 'task_not_found');
  return task;
}

function servedTask(gateway: Gateway, task: Task<VideoWork>, baseUrl: string): object {
  const { request, faults } = task.work;
  const { model, seconds, size, prompt } = request;
  const { status, progress, error } = gateway.videoTasks.view(task);
  const isCompleted = status === 'completed';
  const told = {
    id: task.id,
    object: 'video',
    model,
    status: taskWord(status, gateway.readings),
    progress,
    created_at: faults.through(task.createdAt, (hooks, told) => hooks.createdAt?.(told)),
    completed_at: status === task.status ? task.completedAt : null,
    expires_at: isCompleted ? task.createdAt + TASK_LIFE_S : null,
    url: isCompleted ? `${baseUrl}${videoLink(gateway, task)}` : null,
    seconds: String(seconds),
    size,
    prompt,
    remixed_from_video_id: null,
    error,
  };
  return gateway.dialect?.video?.(told) ?? told;
}

function sendContent(
  gateway: Gateway,
  task: Task<VideoWork>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { faults } = task.work;
  if (task.status === 'failed')
    throw invalidRequest('The video task has failed and has no content', 'task_failed');
  const file = task.status === 'completed' ? servedFile(gateway, task) : null;
  const wrong = faults.first((hooks) => hooks.content?.(file?.bytes ?? null));
  if (wrong !== null) return reply.type('video/mp4').send(wrong);
  if (file === null) {
    throw invalidRequest(`Task is not completed yet, current status: ${task.status}`, 'task_not_completed');
  }
  reply.header('content-location', `${baseOf(request)}${freshVideoLink(gateway, task)}`);
  return sendVideo(request, reply, file);
}

function servedFile({ videoTasks }: Gateway, task: Task<VideoWork>): VideoFile {
  const refusal = task.work.faults.first((hooks) => hooks.refused?.());
  if (refusal === 404) throw notFound('The video task has no content', 'task_not_found');
  if (refusal === 409) throw conflict('task_not_completed', 'Task is not completed yet');
  return videoTasks.servedFor(task, (other) => other.file() !== task.work.file()).work.file();
}

const VIDEO_FILE_ROUTE = '/files/videos/:size/:seconds/:name';

/** The signed link of a completed task; it works for an hour after completion, however often it is read. */
function videoLink(gateway: Gateway, task: Task<VideoWork>): string {
  const from = task.completedAt ?? task.createdAt;
  const expired = task.work.faults.first((hooks) => hooks.linkExpired?.() || null) ?? false;
  return signed(gateway, task, expired ? from : from + LINK_LIFE_S);
}

/** A link that works from now on: what the content endpoint is for once the first has expired (interface §4 note 4). */
function freshVideoLink(gateway: Gateway, task: Task<VideoWork>): string {
  return signed(gateway, task, unixSeconds(gateway.clock.wallMs()) + LINK_LIFE_S);
}

function signed({ links }: Gateway, { id, work }: Task<VideoWork>, exp: number): string {
  const { size, seconds } = work.request;
  return links.sign(`/files/videos/${size}/${seconds}/${id}.mp4`, exp);
}

/** Sends the file, or the range that was asked for; throws ApiError 416 for a range outside it. */
function sendVideo(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: VideoFile,
): FastifyReply {
  reply.headers({ 'accept-ranges': 'bytes', etag });
  // Another file than the one whose first part the client holds is sent whole (RFC 9110 §13.1.5).
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? readRange(headers.range, bytes.length) : null;
  if (range === 'unsatisfiable') {
    throw new ApiError({
      status: 416,
      type: 'invalid_request_error',
      message: 'The range is outside the file',
      headers: { 'content-range': `bytes */${bytes.length}` },
    });
  }
  reply.type('video/mp4');
  if (range === null) return reply.send(bytes);
  const { first, last } = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${bytes.length}`)
    .send(bytes.subarray(first, last + 1));
}

/** First and last byte, both inside. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Reads one `bytes` range of a file (RFC 9110 §14); null: send the whole; `unsatisfiable`: 416. */
export function readRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}
