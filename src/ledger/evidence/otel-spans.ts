import { z } from 'zod';
import { asArray, asObject } from '../../wire/json-fields.ts';
import { REQUEST_ID_HEADERS } from '../../wire/request-ids.ts';
import { EVIDENCE_SCHEMA, type EvidenceCall } from './evidence-call.ts';
import { type EvidencePlace, evidenceCorrupt, parsed } from './evidence-error.ts';
import type { EvidenceImporter, Imported } from './evidence-importer.ts';
import { foreignInstant, instantOfCount } from './foreign-time.ts';
import { shownText } from './shown-text.ts';

const moment = z.union([z.string(), z.number()]);
const id = z.string().min(1);

/** A span of OTLP, or as SDKs print it to a file. */
const spanShape = z.looseObject({
  name: z.string().nullish(),
  traceId: id.nullish(),
  trace_id: id.nullish(),
  spanId: id.nullish(),
  span_id: id.nullish(),
  parentSpanId: z.string().nullish(),
  parent_id: z.string().nullish(),
  context: z.looseObject({ trace_id: id.nullish(), span_id: id.nullish() }).nullish(),
  startTimeUnixNano: moment.nullish(),
  endTimeUnixNano: moment.nullish(),
  start_time: moment.nullish(),
  end_time: moment.nullish(),
  attributes: z.unknown().optional(),
  status: z.looseObject({ code: moment.nullish(), status_code: z.string().nullish() }).nullish(),
});
type Span = z.infer<typeof spanShape>;

const envelope = z.looseObject({
  resourceSpans: z.array(
    z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(z.unknown()) })).default([]) }),
  ),
});

const KIND_OF_OPERATION: Readonly<Record<string, EvidenceCall['kind']>> = {
  chat: 'chat',
  text_completion: 'chat',
  generate_content: 'chat',
};

/** OpenTelemetry spans with `gen_ai.*` attributes: an OTLP document, OTLP a line, or a span a line. */
export const OTEL_SPANS: EvidenceImporter = {
  name: 'otel',
  lacks: ['prompt_bytes', 'out_chars', 'key_fp', 'units'],
  not_taken: ['prompts and answers, where they were recorded'],
  recognises: ({ value, isCsv }) => {
    const object = asObject(value);
    return !isCsv && object !== null && ('resourceSpans' in object || spanIdOf(object) !== null);
  },
  read: ({ value }, place) => {
    const object = asObject(value);
    if (object === null) throw evidenceCorrupt(place, 'expected a span or an OTLP document');
    if (!('resourceSpans' in object)) return ofSpan(object, place);
    const spans = parsed(envelope, object, place).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    );
    const read = spans.map((span) => ofSpan(span, place));
    return {
      calls: read.flatMap(({ calls }) => calls),
      left_aside: read.flatMap(({ left_aside }) => left_aside),
    };
  },
};

function spanIdOf(object: object): unknown {
  const context = 'context' in object ? asObject(object.context) : null;
  return (
    ('spanId' in object ? object.spanId : 'span_id' in object ? object.span_id : context?.['span_id']) ?? null
  );
}

function ofSpan(value: unknown, place: EvidencePlace): Imported {
  const span = parsed(spanShape, value, place);
  const attributes = attributesOf(span.attributes);
  const operation = attributes.text('gen_ai.operation.name');
  const model = attributes.text('gen_ai.request.model') ?? attributes.text('gen_ai.response.model');
  if (operation === null && model === null) return aside('spans without gen_ai attributes');
  const kind = operation === null ? 'chat' : KIND_OF_OPERATION[operation];
  if (kind === undefined) return aside(`spans of the operation ${shownText(operation ?? '')}`);
  if (model === null)
    return aside(`spans of the operation ${shownText(operation ?? 'chat')} without a model`);
  return { calls: [callOf(span, attributes, kind, model, place)], left_aside: [] };
}

function aside(reason: string): Imported {
  return { calls: [], left_aside: [reason] };
}

function callOf(
  span: Span,
  attributes: Attributes,
  kind: EvidenceCall['kind'],
  model: string,
  place: EvidencePlace,
): EvidenceCall {
  const spanId = span.spanId ?? span.span_id ?? span.context?.span_id;
  if (spanId == null) throw evidenceCorrupt(place, 'spanId: expected an id, found none');
  const traceId = span.traceId ?? span.trace_id ?? span.context?.trace_id ?? 'trace';
  const usage = usageOf(attributes);
  return {
    schema: EVIDENCE_SCHEMA,
    call_id: `${traceId}/${spanId}`,
    kind: formatOf(attributes, kind),
    model,
    started_at: momentOf(span.startTimeUnixNano, span.start_time) ?? missing(place, 'startTimeUnixNano'),
    ended_at: momentOf(span.endTimeUnixNano, span.end_time),
    ...outcomeOf(span.status, attributes, usage?.output ?? null),
    request_id: requestIdOf(attributes),
    response_id: attributes.text('gen_ai.response.id'),
    usage,
    max_tokens: attributes.count('gen_ai.request.max_tokens'),
    finish: attributes.texts('gen_ai.response.finish_reasons')[0] ?? null,
    service_tier:
      attributes.text('openai.response.service_tier') ??
      attributes.text('gen_ai.openai.response.service_tier'),
  };
}

function missing(place: EvidencePlace, name: string): never {
  throw evidenceCorrupt(place, `${name}: expected a moment, found none that can be read`);
}

function momentOf(
  nanoseconds: string | number | null | undefined,
  other: string | number | null | undefined,
) {
  if (nanoseconds != null) return instantOfCount(nanoseconds, 1_000_000_000n);
  return typeof other === 'string' ? foreignInstant(other) : null;
}

function formatOf(attributes: Attributes, kind: EvidenceCall['kind']): EvidenceCall['kind'] {
  const provider = attributes.text('gen_ai.provider.name') ?? attributes.text('gen_ai.system');
  if (kind === 'chat' && provider === 'anthropic') return 'messages';
  return attributes.text('openai.api.type') === 'responses' ? 'responses' : kind;
}

/** By the convention input tokens hold those of the cache; where they cannot, they are not known. */
function usageOf(attributes: Attributes): EvidenceCall['usage'] {
  const told =
    attributes.count('gen_ai.usage.input_tokens') ?? attributes.count('gen_ai.usage.prompt_tokens');
  const output =
    attributes.count('gen_ai.usage.output_tokens') ?? attributes.count('gen_ai.usage.completion_tokens');
  const cacheRead = attributes.count('gen_ai.usage.cache_read.input_tokens');
  const cacheWrite = attributes.count('gen_ai.usage.cache_creation.input_tokens');
  if (told === null && output === null) return null;
  const input = told !== null && (cacheRead ?? 0) + (cacheWrite ?? 0) > told ? null : told;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}

/** Headers are recorded on request only; each is a list. */
function requestIdOf(attributes: Attributes): string | null {
  const found = REQUEST_ID_HEADERS.flatMap((name) =>
    asArray(attributes.texts(`http.response.header.${name}`)),
  );
  return typeof found[0] === 'string' ? found[0] : null;
}

interface Status {
  readonly code?: string | number | null | undefined;
  readonly status_code?: string | null | undefined;
}

/**
 * What became of a call by its span. A span ends without an error also where nobody read the answer to its
 * end: only one
 * that tells why the model stopped, or how much it wrote, is ok. With neither, nothing is certain.
 */
function outcomeOf(
  status: Status | null | undefined,
  attributes: Attributes,
  output: number | null,
): Pick<EvidenceCall, 'outcome' | 'status' | 'error_type'> {
  const error = attributes.text('error.type');
  const told = attributes.count('http.response.status_code') ?? statusIn(error);
  const code = status?.code ?? status?.status_code ?? null;
  const failed = error !== null || code === 2 || code === '2' || /ERROR$/.test(String(code));
  if (told !== null && told >= 400 && told <= 599) return { outcome: 'http_error', status: told };
  if (failed)
    return { outcome: /time.?out/i.test(error ?? '') ? 'timeout_total' : 'net_error', status: told };
  const ended = output !== null || attributes.texts('gen_ai.response.finish_reasons').length > 0;
  return { outcome: ended ? 'ok' : 'interrupted', status: told };
}

/** Some instrumentations give the status as the type of the error. */
function statusIn(error: string | null): number | null {
  return error !== null && /^[45]\d\d$/.test(error) ? Number(error) : null;
}

/** Attributes of a span by name; a value of another type counts as absent. */
interface Attributes {
  text(name: string): string | null;
  /** Of a list, or of the one text. */
  texts(name: string): readonly string[];
  /** A whole number, which OTLP writes as text. */
  count(name: string): number | null;
}

/** Reads OTLP's list of keys and typed values, or a plain object. */
function attributesOf(value: unknown): Attributes {
  const values = new Map<string, unknown>(
    Array.isArray(value)
      ? value.map(asObject).map((pair) => [String(pair?.['key']), plainOf(pair?.['value'])])
      : [],
  );
  for (const [name, plain] of Object.entries(Array.isArray(value) ? {} : (asObject(value) ?? {})))
    values.set(name, plain);
  const texts = (name: string): readonly string[] => {
    const found = values.get(name);
    return (Array.isArray(found) ? found : [found]).filter(
      (text): text is string => typeof text === 'string' && text !== '',
    );
  };
  return {
    text: (name) => texts(name)[0] ?? null,
    texts,
    count: (name) => countOf(values.get(name)),
  };
}

function plainOf(value: unknown): unknown {
  const typed = asObject(value);
  if (typed === null) return undefined;
  const list = asObject(typed['arrayValue']);
  if (list !== null) return asArray(list['values']).map(plainOf);
  return typed['stringValue'] ?? typed['intValue'] ?? typed['doubleValue'] ?? typed['boolValue'];
}

function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
