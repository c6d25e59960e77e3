import type { FastifyReply } from 'fastify';
import type { QueriedWindow } from '../formats/usage-query.ts';

/** Has an answer tell the asked window digit by digit where a JSON number of this runtime would round it. */
export function tellExactly(reply: FastifyReply, window: QueriedWindow): void {
  if (window.end <= Number.MAX_SAFE_INTEGER) return;
  reply.type('application/json; charset=utf-8').serializer((body: object) => exactJson(body, window));
}

/** The body as JSON with `start_time` and `end_time` of this window, where it has them. */
export function exactJson(body: object, { start, end }: QueriedWindow): string {
  const fields = Object.entries(body).map(([name, value]) => {
    if (typeof value === 'number' && name === 'start_time') return `"start_time":${start}`;
    if (typeof value === 'number' && name === 'end_time') return `"end_time":${end}`;
    const text = JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.flat().join(',')}}`;
}
