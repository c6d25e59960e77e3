import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Disconnect, WrongAnswer } from '../faults/hooks/answer-hooks.ts';

/** Sends a wrong answer, or none, before any handler has run. */
export function answerWrong(reply: FastifyReply, wrong: WrongAnswer | Disconnect): FastifyReply {
  if (typeof wrong !== 'string') return reply.send(wrongPayload(reply, wrong) ?? undefined);
  disconnect(reply, wrong);
  return reply.hijack();
}

/** Sets status and headers; what has to be sent as the body. */
export function wrongPayload(reply: FastifyReply, wrong: WrongAnswer): string | Buffer | Readable | null {
  reply.code(wrong.status).removeHeader('content-length');
  for (const [name, value] of Object.entries(wrong.headers)) {
    if (value === null) reply.removeHeader(name);
    else reply.header(name, value);
  }
  // The framework puts the length right of all but streams.
  if (wrong.headers['content-length'] != null) return Readable.from([Buffer.from(wrong.body)]);
  return wrong.body.length === 0 ? null : wrong.body;
}

export function disconnect({ raw }: FastifyReply, manner: Disconnect): void {
  if (manner === 'reset') raw.socket?.resetAndDestroy();
  else raw.socket?.destroy();
}
