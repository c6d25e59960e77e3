import type { FaultSubject } from '../../hooks/fault-definition.ts';
import type { Endpoint } from '../../http/endpoints.ts';

/** Which requests a fault of an answer can hit. */
export type Hit = (subject: FaultSubject) => boolean;

export const anyRequest: Hit = () => true;

export const anyPaidCall: Hit = ({ kind }) => kind !== null;

/** Calls and reads that need an API key, or may have one (interface §4). */
export const withApiKey: Hit = ({ endpoint }) => endpoint.startsWith('/v1/');

/** All but the price book, which needs no credential. */
export const withCredential: Hit = ({ endpoint }) => endpoint !== '/pricing.usd.json';

export function endpoints(...wanted: readonly Endpoint[]): Hit {
  return ({ endpoint }) => wanted.includes(endpoint);
}
