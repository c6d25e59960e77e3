import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** The largest request body in bytes; above it, 413. */
export const BODY_LIMIT = 32 * 1024 * 1024;

/** Refuses by the announced length before anything is read: multipart bodies pass no other check. */
export function refuseLargeBody(request: FastifyRequest): void {
  if (Number(request.headers['content-length'] ?? 0) <= BODY_LIMIT) return;
  throw new ApiError({ status: 413, type: 'invalid_request_error', message: 'Request body is too large' });
}
