import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { jsonOf } from '../../text/json-of.ts';
import type { WrongAnswer } from '../hooks/answer-hooks.ts';
import type { RefusedRequest, WornDialect } from '../hooks/dialect.ts';
import { ApiError } from '../http/api-error.ts';

/** A request as far as its refusal depends on it. */
export function refusedRequest({ method, url, id, headers }: FastifyRequest): RefusedRequest {
  return {
    method,
    path: url.split('?', 1)[0] ?? '',
    requestId: id,
    hasCredential: (headers.authorization ?? headers['x-api-key']) !== undefined,
    english: /^en/i.test(headers['accept-language'] ?? ''),
    fromProvider: false,
  };
}

const told = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    type: z.enum(['new_api_error', 'invalid_request_error']),
    code: z.string(),
  }),
});

const SUFFIX = / \(request id: [^)]*\)$/;

/** The error of a fault as a dialect tells one of its provider; what is no error of the interface stays as it is. */
export function answerInDialect(
  dialect: WornDialect | null,
  request: FastifyRequest,
  wrong: WrongAnswer,
): WrongAnswer {
  const read =
    dialect === null || wrong.status < 400 ? null : told.safeParse(jsonOf(String(wrong.body))).data;
  if (dialect === null || read == null) return wrong;
  const { message, type, code } = read.error;
  const error = new ApiError({ status: wrong.status, type, code, message: message.replace(SUFFIX, '') });
  const asked = { ...refusedRequest(request), fromProvider: true };
  const { status, headers, type: contentType, body } = dialect.refusal(asked, error, error);
  const retry = dialect.keepsRetryAfter ? {} : { 'retry-after': null };
  return {
    status,
    headers: { ...wrong.headers, ...retry, ...headers, 'content-type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
