import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServedCall } from '../calls/paid-call.ts';
import { requestIdHeaders } from '../http/request-id.ts';
import type { Gateway } from '../parts/gateway.ts';
import type { Readings } from '../readings/readings.ts';
import { isJsonObject } from './json-answer.ts';

const ANSWER_ID_CHARACTERS = 28;
const OWN_HEADER = 'x-request-id';
const ALL_HEADERS = Object.keys(requestIdHeaders(''));

type Telling = Pick<Gateway, 'readings' | 'dialect'>;

/** The headers that name the request in a success, and in an error. */
const ID_HEADERS: Readonly<
  Record<Readings['request_id'], { readonly success: readonly string[]; readonly error: readonly string[] }>
> = {
  headers: { success: ALL_HEADERS, error: ALL_HEADERS },
  one_header: { success: ['request-id'], error: ['request-id'] },
  other_header: { success: ['x-trace-id'], error: ['x-trace-id'] },
  in_body: { success: [], error: ALL_HEADERS },
  errors_only: { success: [], error: ALL_HEADERS },
  nowhere: { success: [], error: [] },
};

/** Has every answer tell the request id where the readings say. */
export function tellRequestId(app: FastifyInstance, { request_id }: Readings): void {
  if (request_id === 'headers') return;
  if (request_id === 'in_body') {
    // A replayed answer has the id of the request that it answers again.
    app.addHook('preSerialization', async (_request, reply, value) =>
      reply.statusCode < 400 && isJsonObject(value)
        ? { request_id: reply.getHeader(OWN_HEADER), ...value }
        : value,
    );
  }
  const { success, error } = ID_HEADERS[request_id];
  app.addHook('onSend', async (_request, reply, payload) => {
    const id = String(reply.getHeader(OWN_HEADER));
    for (const name of ALL_HEADERS) reply.removeHeader(name);
    reply.headers(named(id, reply.statusCode < 400 ? success : error));
    return payload;
  });
}

/** Whether the body of a success may hold the request id. */
export function toldInBody({ request_id }: Readings): boolean {
  return request_id === 'headers' || request_id === 'in_body';
}

/** What ids in a successful answer are made of: the request id, or a text that does not tell it. */
export function answerId(requestId: string, { readings, dialect }: Telling): string {
  if (dialect !== null) return dialect.answerId(requestId);
  if (toldInBody(readings)) return requestId;
  return createHash('sha256').update(requestId).digest('hex').slice(0, ANSWER_ID_CHARACTERS);
}

/** The headers of a successful answer that tell of its call while it is under way. */
export function successHeaders(
  { requestId, model }: Pick<ServedCall, 'requestId' | 'model'>,
  { readings: { request_id }, dialect }: Telling,
): Record<string, string> {
  if (dialect === null) return named(requestId, ID_HEADERS[request_id].success);
  return { ...dialect.headers(requestId), ...dialect.callHeaders({ requestId, model, record: null }) };
}

/** Has the answer to a call that has ended tell of it what a dialect tells. */
export function tellCall(
  { dialect }: Telling,
  { requestId, model, record }: Pick<ServedCall, 'requestId' | 'model' | 'record'>,
  reply: FastifyReply,
): void {
  if (dialect !== null) reply.headers(dialect.callHeaders({ requestId, model, record }));
}

/** The id by which the record of a task names it, where that is not the one of its request. */
export function recordedAs(taskId: string, { task_request_id }: Readings): { readonly recordedId?: string } {
  return task_request_id === 'task' ? { recordedId: taskId } : {};
}

function named(id: string, headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(headers.map((name) => [name, id]));
}
