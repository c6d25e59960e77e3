import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ApiError } from '../http/api-error.ts';
import { plainHook } from '../http/plain-hook.ts';
import type { Quirks } from './quirks.ts';

const CHAT = '/v1/chat/completions';

/** The path as the routes know it: below another base, `/v1` is what stands for it. */
export function servedUrl({ values }: Quirks, url: string): string {
  const base = values.get('base-path');
  return base !== undefined && url.startsWith(`${base}/`) ? `/v1${url.slice(base.length)}` : url;
}

/** Refuses what a server with these quirks refuses; goes before all other hooks. */
export function behavePlainly(app: FastifyInstance, { flags, values }: Quirks): void {
  const refused = values.get('refuse-all');
  const base = values.get('base-path');
  app.addHook('onRequest', (_request, reply, done) => {
    if (refused === undefined) done();
    else reply.code(Number(refused)).send(errorOf('This server refuses every request.', null));
  });
  app.addHook(
    'onRequest',
    plainHook((request) => {
      const { originalUrl, method, url } = request;
      const hidden = flags.has('no-models') && url.startsWith('/v1/models');
      if (hidden || (base !== undefined && !originalUrl.startsWith(`${base}/`)))
        throw new ApiError({ status: 404, message: `Invalid URL (${method} ${originalUrl})` });
      // Every caller is the same one, whatever key it brings.
      if (!flags.has('needs-key')) request.headers.authorization = 'Bearer anyone';
    }),
  );
  app.addHook('preHandler', (request, reply, done) => {
    const error = refusal(request, flags);
    if (error === null) done();
    else reply.code(400).send(error);
  });
}

const askedFields = z.looseObject({
  stream_options: z.unknown().optional(),
  max_tokens: z.unknown().optional(),
  max_completion_tokens: z.unknown().optional(),
});

function refusal({ body, url }: FastifyRequest, flags: Quirks['flags']): object | null {
  const asked = askedFields.safeParse(body).data;
  if (asked === undefined) return null;
  if (flags.has('no-stream-options') && asked.stream_options !== undefined) {
    const input = JSON.stringify(asked.stream_options);
    return {
      object: 'error',
      message: `[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': ${input}}]`,
      type: 'BadRequestError',
      param: null,
      code: 400,
    };
  }
  if (url.split('?', 1)[0] !== CHAT) return null;
  if (flags.has('max-completion-tokens-only') && asked.max_tokens !== undefined)
    return unsupported('max_tokens', 'max_completion_tokens');
  if (flags.has('max-tokens-only') && asked.max_completion_tokens !== undefined)
    return unsupported('max_completion_tokens', 'max_tokens');
  return null;
}

function unsupported(found: string, wanted: string): object {
  return errorOf(
    `Unsupported parameter: '${found}' is not supported with this model. Use '${wanted}' instead.`,
    found,
    'unsupported_parameter',
  );
}

function errorOf(message: string, param: string | null, code: string | null = null): object {
  return { error: { message, type: 'invalid_request_error', param, code } };
}
