import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isTextKind } from '../../core/call-kind.ts';
import type { FaultSubject } from '../faults/fault-definition.ts';
import { ENDPOINTS, type Endpoint, KIND_OF, PAID_ENDPOINTS } from './endpoints.ts';
import { formBody } from './form-body.ts';
import { keyIfAny } from './request-key.ts';

const named = z.looseObject({
  model: z.string().nullish().catch(null),
  stream: z.boolean().nullish().catch(null),
});
const UNNAMED = { model: null, stream: null };

/** What faults may be selected by; null for a path that is none of interface §4. */
export async function faultSubject(request: FastifyRequest): Promise<FaultSubject | null> {
  const endpoint = endpointOf(request);
  if (endpoint === null) return null;
  const paid = PAID_ENDPOINTS.find((path) => path === endpoint);
  const asked = paid === undefined ? request.query : await formBody(request);
  const { model, stream } = named.safeParse(asked).data ?? UNNAMED;
  const key = keyIfAny(request);
  const kind = paid === undefined ? null : KIND_OF[paid];
  return {
    endpoint,
    kind,
    model: model ?? null,
    keyFingerprint: key?.fingerprint ?? null,
    keyOrdinal: key?.ordinal ?? 0,
    // Only text calls stream, whatever else a body says.
    stream: kind !== null && isTextKind(kind) && stream === true,
  };
}

function endpointOf({ routeOptions }: FastifyRequest): Endpoint | null {
  const path = routeOptions.url?.replace(/:(\w+)/g, '{$1}');
  return ENDPOINTS.find((candidate) => candidate === path) ?? null;
}
