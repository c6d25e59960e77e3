/**
 * Headers in which gateways send the id of a request, those of this family before that of LiteLLM's proxy. Interface §7 has
 * it in the message of an error, too.
 */
export const REQUEST_ID_HEADERS = [
  'x-oneapi-request-id',
  'x-request-id',
  'request-id',
  'x-litellm-call-id',
] as const;

/** Ids that the message of an error names, the last first: a gateway behind a gateway appends its own. */
export function requestIdsIn(message: string): readonly string[] {
  return [...message.matchAll(/\(request id:\s*([^\s)]+)\s*\)/gi)].flatMap(([, id]) => id ?? []).reverse();
}

const MOST_IDS = 16;

/** All ids of an answer without the key: those of its headers first, then those that its body tells. */
export function answerIds(
  header: (name: string) => string | null | undefined,
  told: readonly (string | null | undefined)[],
  clean: (id: string | null | undefined) => string | null,
): readonly string[] {
  const served = [...REQUEST_ID_HEADERS.map(header), ...told];
  return [...new Set(served.flatMap((id) => clean(id) ?? []))].slice(0, MOST_IDS);
}
