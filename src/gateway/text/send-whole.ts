import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * Sends a JSON body with the headers set so far, past the framework's own way and its hooks, which a reply without
 * faults has no use for: plain replies are the load that this gateway is to stand most of.
 */
export function sendWhole(reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body);
  const headers: OutgoingHttpHeader[] = ['content-type', 'application/json; charset=utf-8'];
  headers.push('content-length', Buffer.byteLength(text));
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers.push(name, value);
  }
  const { raw } = reply.hijack();
  raw.writeHead(200, headers);
  raw.end(text);
  return reply;
}
