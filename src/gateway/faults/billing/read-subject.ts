import type { FaultSubject } from '../../hooks/fault-definition.ts';

export const SECONDS_PER_HOUR = 3600;

export function totalsRead({ endpoint }: FaultSubject): boolean {
  return endpoint === '/v1/usage';
}

export function pageRead({ endpoint }: FaultSubject): boolean {
  return endpoint === '/v1/usage/requests';
}

export function usageRead(subject: FaultSubject): boolean {
  return totalsRead(subject) || pageRead(subject);
}
