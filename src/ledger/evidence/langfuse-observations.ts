import { z } from 'zod';
import { asObject, type JsonObject } from '../../wire/json-fields.ts';
import { EVIDENCE_SCHEMA, type EvidenceCall } from './evidence-call.ts';
import { type EvidencePlace, evidenceCorrupt, parsed } from './evidence-error.ts';
import { type EvidenceImporter, leftAside, oneCall } from './evidence-importer.ts';
import { countAt, countIn, isUnreadable, objectIn, textIn } from './foreign-cell.ts';
import { foreignInstant } from './foreign-time.ts';
import { shownText } from './shown-text.ts';

/** Members of an exported observation. In a CSV export objects are JSON texts. */
const observationShape = z.looseObject({
  id: z.string().min(1),
  traceId: z.string().nullish(),
  type: z.string(),
  startTime: z.string(),
  endTime: z.string().nullish(),
  model: z.string().nullish(),
  modelParameters: z.unknown().optional(),
  usageDetails: z.unknown().optional(),
  usage: z.unknown().optional(),
  promptTokens: z.unknown().optional(),
  completionTokens: z.unknown().optional(),
  level: z.string().nullish(),
  metadata: z.unknown().optional(),
});
type Observation = z.infer<typeof observationShape>;

const REQUEST_ID_NAMES = ['request_id', 'requestId', 'x-request-id', 'x-oneapi-request-id'];
const RESPONSE_ID_NAMES = ['response_id', 'responseId'];

/** The call stands; what its metadata would add does not. */
const UNREADABLE = 'metadata that are no JSON object (their calls are taken)';

/** Observations as Langfuse exports them. */
export const LANGFUSE_OBSERVATIONS: EvidenceImporter = {
  name: 'langfuse',
  lacks: ['status', 'prompt_bytes', 'out_chars', 'key_fp', 'units'],
  not_taken: [
    'costs: they are reckoned from prices that were entered there, and prove no charge',
    'input and output, where they were stored',
  ],
  recognises: ({ value }) => {
    const object = asObject(value);
    return object !== null && ['id', 'traceId', 'type', 'startTime'].every((name) => name in object);
  },
  read: ({ value }, place) => {
    const seen = parsed(observationShape, value, place);
    if (seen.type !== 'GENERATION')
      return leftAside(`observations of the type ${shownText(seen.type) || 'none'}`);
    const model = textIn(seen.model);
    if (model === null) return leftAside('generations without a model');
    return oneCall(callOf(seen, model, place), isUnreadable(seen.metadata) ? [UNREADABLE] : []);
  },
};

function callOf(seen: Observation, model: string, place: EvidencePlace): EvidenceCall {
  const started = foreignInstant(seen.startTime);
  if (started === null)
    throw evidenceCorrupt(place, `startTime: expected a moment, found ${shownText(seen.startTime)}`);
  const metadata = objectIn(seen.metadata);
  const parameters = objectIn(seen.modelParameters);
  const usage = usageOf(seen, place);
  const ended = foreignInstant(seen.endTime ?? '');
  return {
    schema: EVIDENCE_SCHEMA,
    call_id: seen.id,
    kind: 'chat',
    model,
    started_at: started,
    ended_at: ended,
    outcome: seen.level === 'ERROR' ? 'net_error' : ended !== null && usage != null ? 'ok' : 'interrupted',
    request_id: named(metadata, REQUEST_ID_NAMES),
    response_id: named(metadata, RESPONSE_ID_NAMES),
    usage,
    max_tokens: countIn(parameters['max_tokens'] ?? parameters['max_completion_tokens']) ?? null,
  };
}

function named(metadata: JsonObject, names: readonly string[]): string | null {
  return names.map((name) => textIn(metadata[name])).find((text) => text !== null) ?? null;
}

/**
 * Details may stand beside the input or be parts of it: which of both, the total tells. Where it fits
 * neither, the input is not known.
 */
function usageOf(seen: Observation, place: EvidencePlace): EvidenceCall['usage'] {
  const details = countsOf(objectIn(seen.usageDetails), 'usageDetails', place);
  const older = countsOf(objectIn(seen.usage), 'usage', place);
  const counts = details.size > 0 ? details : older;
  const output = counts.get('output') ?? countAt(seen.completionTokens, 'completionTokens', place);
  const bare = counts.get('input') ?? countAt(seen.promptTokens, 'promptTokens', place);
  if (bare === null && output === null) return null;
  const cacheRead = sumOf(counts, /^(?:input_cached_tokens|cache_read_input_tokens|input_cache_read)$/);
  const cacheWrite = sumOf(counts, /^(?:cache_creation_input_tokens|input_cache_creation)$/);
  const allInput = sumOf(counts, /input/) ?? bare;
  const allOutput = sumOf(counts, /output/) ?? output;
  const total = counts.get('total') ?? null;
  const apart = total === null ? allInput === bare : total === (allInput ?? 0) + (allOutput ?? 0);
  const within = total === (bare ?? 0) + (output ?? 0);
  return {
    input: apart ? allInput : within ? bare : null,
    output: apart ? allOutput : within ? output : null,
    cache_read: cacheRead,
    cache_write: cacheWrite,
  };
}

function countsOf(usage: JsonObject, at: string, place: EvidencePlace): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(usage)
      .filter(([name]) => !/cost$|^unit$/i.test(name))
      .flatMap(([name, value]): [string, number][] => {
        const found = countAt(value, `${at}.${name}`, place);
        return found === null ? [] : [[name, found]];
      }),
  );
}

function sumOf(counts: ReadonlyMap<string, number>, names: RegExp): number | null {
  const found = [...counts].filter(([name]) => names.test(name));
  return found.length === 0 ? null : found.reduce((sum, [, tokens]) => sum + tokens, 0);
}
