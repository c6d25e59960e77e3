/**
 * Headers in which gateways of this family send the id of a request, their own before that of an upstream (interface §7 has
 * it in the message of an error).
 */
export const REQUEST_ID_HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id'] as const;

/** Ids that the message of an error names, the last first: a gateway behind a gateway appends its own. */
export function requestIdsIn(message: string): readonly string[] {
  return [...message.matchAll(/\(request id:\s*([^\s)]+)\s*\)/gi)].flatMap(([, id]) => id ?? []).reverse();
}
