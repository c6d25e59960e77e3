import type { FastifyRequest } from 'fastify';
import { RequestFaults } from '../hooks/request-faults.ts';

const FAULTS = new WeakMap<FastifyRequest, RequestFaults>();

export function rememberFaults(request: FastifyRequest, faults: RequestFaults): void {
  if (faults !== RequestFaults.NONE) FAULTS.set(request, faults);
}

/** The faults that were chosen for a request. */
export function requestFaults(request: FastifyRequest): RequestFaults {
  return FAULTS.get(request) ?? RequestFaults.NONE;
}
