import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Disconnect, WrongAnswer } from '../faults/hooks/answer-hooks.ts';
import { RequestFaults } from '../faults/request-faults.ts';
import type { Gateway } from '../gateway.ts';
import { faultSubject } from './fault-subject.ts';
import { rememberFaults, requestFaults } from './request-faults-of.ts';

/** Chooses the faults of each request once its key and body are known, and lets them act on whole answers. */
export function injectFaults(app: FastifyInstance, { faults }: Gateway): void {
  app.addHook('preHandler', async (request, reply) => {
    if (faults.plan.faults.length === 0) return undefined;
    const subject = await faultSubject(request);
    const chosen = subject === null ? RequestFaults.NONE : faults.faultsFor(subject, request.id, null);
    rememberFaults(request, chosen);
    const wrong = chosen.first((hooks) => hooks.instead?.());
    return wrong === null ? undefined : answerWrong(reply, wrong);
  });
  app.addHook('preSerialization', async (request, _reply, value) =>
    isJsonObject(value) ? requestFaults(request).through(value, (hooks, body) => hooks.json?.(body)) : value,
  );
  app.addHook('onSend', async (request, reply, payload) => {
    const chosen = requestFaults(request);
    if (chosen === RequestFaults.NONE || !(typeof payload === 'string' || Buffer.isBuffer(payload)))
      return payload;
    const answer = { status: reply.statusCode, headers: reply.getHeaders(), body: payload };
    const wrong = chosen.first((hooks) => hooks.replace?.(answer));
    if (wrong === null) return payload;
    if (typeof wrong === 'string') {
      disconnect(reply, wrong);
      return payload;
    }
    reply.code(wrong.status).removeHeader('content-length').headers(wrong.headers);
    return wrong.body;
  });
}

function answerWrong(reply: FastifyReply, wrong: WrongAnswer | Disconnect): FastifyReply {
  if (typeof wrong !== 'string') return reply.code(wrong.status).headers(wrong.headers).send(wrong.body);
  disconnect(reply, wrong);
  return reply.hijack();
}

function disconnect({ raw }: FastifyReply, manner: Disconnect): void {
  if (manner === 'reset') raw.socket?.resetAndDestroy();
  else raw.socket?.destroy();
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !Buffer.isBuffer(value);
}
