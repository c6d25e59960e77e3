import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { chatFormat } from '../formats/chat-format.ts';
import { completionsFormat } from '../formats/completions-format.ts';
import { messagesFormat } from '../formats/messages-format.ts';
import { responsesFormat } from '../formats/responses-format.ts';
import type { TextFormat } from '../formats/text-format.ts';
import { API_DATE } from '../http/api-date.ts';
import { invalidRequest } from '../http/api-error.ts';
import type { Gateway } from '../parts/gateway.ts';
import { plainFormat } from '../plain/plain-format.ts';
import type { Quirks } from '../plain/quirks.ts';
import { requireKey, requireKeyOrHeader } from '../requests/require-key.ts';
import { serveEmbedding } from './serve-embedding.ts';
import { serveText } from './serve-text.ts';

export const VERSION_HEADER = 'anthropic-version';

/** Text as a server without bill has it. */
export function plainTextRoutes(app: FastifyInstance, gateway: Gateway, quirks: Quirks): void {
  postText(app, gateway, [plainFormat(chatFormat, quirks), plainFormat(completionsFormat, quirks)]);
}

export function textRoutes(app: FastifyInstance, gateway: Gateway): void {
  postText(app, gateway, [chatFormat, completionsFormat, responsesFormat]);
  const onRequest = requireKeyOrHeader(gateway);
  const messages = gateway.dialect?.format(messagesFormat) ?? messagesFormat;
  app.post(messagesFormat.endpoint, { onRequest }, (request, reply) => {
    // On the raw response, since a stream does not pass through the reply.
    if (gateway.dialect === null) reply.raw.setHeader('x-api-version', API_DATE);
    checkVersion(request);
    return serveText(gateway, messages, request, reply);
  });
}

function postText(app: FastifyInstance, gateway: Gateway, formats: readonly TextFormat[]): void {
  const onRequest = requireKey(gateway);
  for (const spoken of formats) {
    const format = gateway.dialect?.format(spoken) ?? spoken;
    app.post(format.endpoint, { onRequest }, (request, reply) => serveText(gateway, format, request, reply));
  }
  app.post('/v1/embeddings', { onRequest }, (request, reply) => serveEmbedding(gateway, request, reply));
}

export const versionDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** The header is optional and may name any date (interface §9). */
function checkVersion({ headers }: FastifyRequest): void {
  const version = headers[VERSION_HEADER];
  if (version === undefined || versionDate.safeParse(version).success) return;
  throw invalidRequest(`Invalid ${VERSION_HEADER} header: expected a date such as 2023-06-01`);
}
