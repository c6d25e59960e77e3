import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { ApiError } from './api-error.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST'];

/** 405 with `allow` where the path exists under another method, else 404. */
export function unknownRoute(app: FastifyInstance, { method, url }: FastifyRequest): ApiError {
  const path = url.split('?', 1)[0] ?? '';
  const allowed = METHODS.filter((candidate) => serves(app, candidate, path));
  if (allowed.length > 0) {
    return new ApiError({
      status: 405,
      type: 'invalid_request_error',
      message: `Method ${method} is not allowed for ${path}`,
      headers: { allow: allowed.join(', ') },
    });
  }
  return new ApiError({
    status: 404,
    type: 'invalid_request_error',
    message: `Invalid URL (${method} ${path})`,
  });
}

function serves(app: FastifyInstance, method: HTTPMethods, path: string): boolean {
  return app.findRoute({ method, url: path }) !== null;
}
