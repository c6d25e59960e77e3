/**
 * Where answers tell the id of their request: one list for both languages, from which xk6/wire/request_ids_gen.go is made.
 * `test/corpus/request-ids` holds an example of each with what is kept of it.
 */

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

/** The most ids of one answer that a row keeps. */
export const MOST_IDS = 16;

/** The most texts of one answer that a row keeps because they may be its id. */
export const MOST_OTHER_IDS = 16;

/** How long such a text is, in characters. */
export const LEAST_OTHER_ID = 8;
export const MOST_OTHER_ID = 256;

/** Ids are cut here: LiteLLM packs names and ids of others into those of its responses. */
export const MOST_ID = 1000;

/** What stands in ids beside letters and digits. No `/` and no `?`: an address may be a credential. */
export const ID_MARKS = '._:+=@|~-';

/** No header or field whose name holds one of these is kept. */
export const SECRET_NAMES = [
  'secret',
  'token',
  'cookie',
  'auth',
  'key',
  'password',
  'credential',
  'signature',
];

/** Names of what is no id, or has a field of its own in a row. */
export const NEVER_IDS = [
  'answer cache-control code completion content created_at data date detail error etag expires keep-alive last-modified location message model',
  'job_id object output_text param prompt reasoning refusal response server service_tier status',
  'strict-transport-security system_fingerprint text thinking type updated_at via',
].flatMap((names) => names.split(' '));

/** Ids that the message of an error names, the last first: a gateway behind a gateway appends its own. */
export function requestIdsIn(message: string): readonly string[] {
  return [...message.matchAll(/\(request id:\s*([^\s)]+)\s*\)/gi)].flatMap(([, id]) => id ?? []).reverse();
}

/** All ids of an answer without the key: those of its headers first, then those that its body tells. */
export function answerIds(
  header: (name: string) => string | null | undefined,
  told: readonly (string | null | undefined)[],
  clean: (id: string | null | undefined) => string | null,
): readonly string[] {
  const served = [...REQUEST_ID_HEADERS.map(header), ...told];
  return [...new Set(served.flatMap((id) => clean(id) ?? []))].slice(0, MOST_IDS);
}
