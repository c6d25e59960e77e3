import { z } from 'zod';
import { asObject } from '../../wire/json-fields.ts';
import { EVIDENCE_SCHEMA, type EvidenceCall } from './evidence-call.ts';
import { type EvidencePlace, evidenceCorrupt, parsed } from './evidence-error.ts';
import { type EvidenceImporter, leftAside, oneCall } from './evidence-importer.ts';
import { countAt, countIn, isEmpty, isUnreadable, objectIn, textIn } from './foreign-cell.ts';
import { foreignInstant } from './foreign-time.ts';
import { shownText } from './shown-text.ts';

/** Columns of `LiteLLM_SpendLogs`; in a CSV export all of them are texts. */
const logShape = z.looseObject({
  request_id: z.string().min(1),
  call_type: z.string(),
  model: z.string(),
  startTime: z.string(),
  endTime: z.string().nullish(),
  prompt_tokens: z.unknown().optional(),
  completion_tokens: z.unknown().optional(),
  status: z.string().nullish(),
  cache_hit: z.unknown().optional(),
  custom_llm_provider: z.string().nullish(),
  metadata: z.unknown().optional(),
});
type Log = z.infer<typeof logShape>;

const KIND_OF_TYPE: Readonly<Record<string, EvidenceCall['kind']>> = {
  completion: 'chat',
  acompletion: 'chat',
  text_completion: 'chat',
  atext_completion: 'chat',
  responses: 'responses',
  aresponses: 'responses',
  anthropic_messages: 'messages',
  image_generation: 'image',
  aimage_generation: 'image',
  image_edit: 'image_edit',
  aimage_edit: 'image_edit',
};

/** The call stands; what its metadata would add does not. */
const UNREADABLE = 'metadata that are no JSON object (their calls are taken)';

/** Spend logs of a LiteLLM proxy that stood before the gateway under audit. */
export const LITELLM_LOGS: EvidenceImporter = {
  name: 'litellm',
  lacks: ['request_id', 'prompt_bytes', 'out_chars', 'max_tokens', 'key_fp'],
  not_taken: [
    'spend: the proxy reckons it from a price map of its own, in binary floating point; it proves no charge',
    'api_key: a hash of the proxy’s own key, not of the gateway’s',
    'messages and response, where they were stored',
  ],
  recognises: ({ value }) => {
    const object = asObject(value);
    return object !== null && ['call_type', 'startTime', 'request_id'].every((name) => name in object);
  },
  read: ({ value }, place) => {
    const log = parsed(logShape, value, place);
    const kind = KIND_OF_TYPE[log.call_type];
    if (kind === undefined) return leftAside(`logs of the type ${shownText(log.call_type) || 'none'}`);
    if (/^true$/i.test(String(log.cache_hit))) return leftAside('answers from the proxy’s own cache');
    if (log.model === '') return leftAside('logs without a model');
    return oneCall(callOf(log, kind, place), isUnreadable(log.metadata) ? [UNREADABLE] : []);
  },
};

function callOf(log: Log, kind: EvidenceCall['kind'], place: EvidencePlace): EvidenceCall {
  const started = foreignInstant(log.startTime);
  if (started === null)
    throw evidenceCorrupt(place, `startTime: expected a moment, found ${shownText(log.startTime)}`);
  const metadata = objectIn(log.metadata);
  const usage = usageOf(log, metadata, place);
  return {
    schema: EVIDENCE_SCHEMA,
    call_id: log.request_id,
    kind,
    model: withoutProvider(log.model, log.custom_llm_provider ?? null),
    started_at: started,
    ended_at: foreignInstant(log.endTime ?? ''),
    ...outcomeOf(log, metadata, usage?.output ?? null),
    // The proxy names a log by the id of the answer, where there was one.
    response_id: log.request_id,
    usage,
  };
}

function withoutProvider(model: string, provider: string | null): string {
  const prefix = `${provider}/`;
  return provider !== null && provider !== '' && model.startsWith(prefix)
    ? model.slice(prefix.length)
    : model;
}

/** 0 and 0 is what a log has that was told no usage. */
function usageOf(
  log: Log,
  metadata: Readonly<Record<string, unknown>>,
  place: EvidencePlace,
): EvidenceCall['usage'] {
  const input = countAt(log.prompt_tokens, 'prompt_tokens', place);
  const output = countAt(log.completion_tokens, 'completion_tokens', place);
  if ((input ?? 0) === 0 && (output ?? 0) === 0) return null;
  const more = { ...objectIn(metadata['usage_object']), ...objectIn(metadata['additional_usage_values']) };
  const details = objectIn(more['prompt_tokens_details']);
  const cacheRead = countIn(more['cache_read_input_tokens'] ?? details['cached_tokens']) ?? null;
  const cacheWrite = countIn(more['cache_creation_input_tokens']) ?? null;
  const fits = input === null || (cacheRead ?? 0) + (cacheWrite ?? 0) <= input;
  return { input: fits ? input : null, output, cache_read: cacheRead, cache_write: cacheWrite };
}

/** Without a status, as older versions write, a log with tokens is one of an answer. */
function outcomeOf(
  log: Log,
  metadata: Readonly<Record<string, unknown>>,
  output: number | null,
): Pick<EvidenceCall, 'outcome' | 'status'> {
  const status = textIn(log.status) ?? textIn(metadata['status']);
  if (status === 'failure') {
    const code = Number(String(objectIn(metadata['error_information'])['error_code'] ?? ''));
    return code >= 400 && code <= 599 ? { outcome: 'http_error', status: code } : { outcome: 'net_error' };
  }
  if (status === 'success' || (isEmpty(status) && (output ?? 0) > 0)) return { outcome: 'ok' };
  return { outcome: 'interrupted' };
}
