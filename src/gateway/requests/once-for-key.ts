import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { canonicalJson } from '../../text/canonical-json.ts';
import { jsonOf } from '../../text/json-of.ts';
import type { KeptAnswer } from '../events/books-event.ts';
import { invalidRequest } from '../http/api-error.ts';
import { formBody } from '../http/form-body.ts';
import { requestIdHeaders } from '../http/request-id.ts';
import type { NamedRequest } from '../idempotency/idempotency-store.ts';
import type { Gateway } from '../parts/gateway.ts';
import { requestKey } from './request-key.ts';

/** What a client may choose: visible ASCII. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);
/** Headers of an answer that belong to what was made. */
const KEPT_HEADERS = ['location', 'retry-after'];

export interface OnceRoute {
  readonly what: NamedRequest['what'];
  /** An alias has the path of what it stands for. */
  readonly path: string;
}

/** Makes and charges something; null: the client left, and nothing was charged. */
export type MakingHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<object | null>;

/**
 * Serves a request with an `Idempotency-Key` once for each API key: the same request gets the first answer again, with
 * the first request id, and is not charged. What was refused leaves its key free.
 */
export function onceForKey(
  { idempotency, dialect }: Pick<Gateway, 'idempotency' | 'dialect'>,
  route: OnceRoute,
  make: MakingHandler,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<object> => {
    // No dialect knows the header.
    const named = dialect === null ? await nameOf(request, route) : null;
    if (named === null) return (await make(request, reply)) ?? reply.hijack();
    const kept = idempotency.claim(named);
    if (kept !== null) return replay(reply, kept);
    try {
      const body = await make(request, reply);
      if (body === null) {
        idempotency.release(named.name);
        return reply.hijack();
      }
      idempotency.keep(named.name, answerOf(request, reply, body));
      return body;
    } catch (error) {
      idempotency.release(named.name);
      throw error;
    }
  };
}

async function nameOf(request: FastifyRequest, { what, path }: OnceRoute): Promise<NamedRequest | null> {
  const chosen = request.headers['idempotency-key'];
  if (chosen === undefined) return null;
  if (typeof chosen !== 'string' || !idempotencyKey.safeParse(chosen).success) {
    throw invalidRequest("Invalid value for 'Idempotency-Key': must be 1 to 255 visible ASCII characters");
  }
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  // No body at all, or a number beyond a double's range: the route refuses it, not its digest.
  const asked = canonicalJson(jsonOf(JSON.stringify([path, await formBody(request)])));
  return {
    name: `${requestKey(request).fingerprint} ${sha256(chosen)}`,
    digest: sha256(asked),
    what,
  };
}

function answerOf(request: FastifyRequest, reply: FastifyReply, body: object): KeptAnswer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { requestId: request.id, status: reply.statusCode, headers: Object.fromEntries(headers), body };
}

function replay(reply: FastifyReply, { requestId, status, headers, body }: KeptAnswer): object {
  reply.code(status).headers({ ...headers, ...requestIdHeaders(requestId), 'idempotency-replayed': 'true' });
  return body;
}
