import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ApiError } from '../http/api-error.ts';
import type { Gateway } from '../parts/gateway.ts';
import { unixSeconds } from '../time/clock.ts';

const linkQuery = z.object({ exp: z.string().catch(''), sig: z.string().catch('') });

/** Lets a request for a file pass whose link is signed and has not expired; throws ApiError 403. */
export function requireLink({ links, clock }: Gateway, { url, query }: FastifyRequest): void {
  const path = decodeURI(url.split('?', 1)[0] ?? '');
  const { exp, sig } = linkQuery.parse(query);
  if (links.verify(path, Number(exp), sig, unixSeconds(clock.wallMs()))) return;
  throw new ApiError({
    status: 403,
    code: 'access_denied',
    message: 'This link has expired or is not valid',
  });
}
