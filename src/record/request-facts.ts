import type { CallRow, CallUnits } from '../contracts/ledger-lines.ts';
import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import { asInteger, asObject, type JsonObject } from '../wire/json-fields.ts';
import { promptPrefixes } from '../wire/prompt-prefixes.ts';
import { JsonOutline } from './json-outline.ts';
import { plainName } from './plain-name.ts';

/** What a request asks for, in sizes. */
export interface RequestFacts {
  readonly model: string | null;
  readonly stream: boolean;
  readonly max_tokens: number | null;
  /** No input has more tokens than this, each of which is a byte at least. */
  readonly prompt_bytes: number;
  readonly bytes_out: number | null;
  readonly units: CallUnits | null;
}

/**
 * More than any model reads: what is added where the body alone does not bound the input (pictures, files,
 * what is stored).
 */
const UNSEEN_INPUT = 2 ** 24;

const MEMBERS: ReadonlySet<string> = new Set(
  (
    'model stream max_tokens max_completion_tokens max_output_tokens n size quality seconds duration resolution ' +
    'messages input content type tools previous_response_id conversation prompt system'
  ).split(' '),
);

/** Types of messages, parts and tools whose tokens all stand in the body as text. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'text',
  'input_text',
  'output_text',
  'refusal',
  'message',
  'function',
  'function_call',
  'function_call_output',
  'custom',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_use',
  'tool_result',
  'thinking',
  'reasoning',
]);

/**
 * Reads a request body as `fetch` takes it. Of a body that is a stream nothing can be known before it is
 * sent.
 */
export function requestFacts(kind: PaidKind, body: unknown): RequestFacts {
  if (typeof body === 'string') return ofJson(kind, body, Buffer.byteLength(body));
  if (body instanceof FormData) return ofForm(kind, body);
  const bytes = bytesOf(body);
  if (bytes !== null) return ofJson(kind, new TextDecoder().decode(bytes), bytes.byteLength);
  return {
    model: null,
    stream: false,
    max_tokens: null,
    prompt_bytes: UNSEEN_INPUT,
    bytes_out: null,
    units: null,
  };
}

/** Null without a key to take them by, and for a body that cannot be read beforehand. */
export function requestPrefixes(kind: PaidKind, key: string | null, body: unknown): CallRow['prefixes'] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : bytesOf(body);
  if (!isTextKind(kind) || key === null || bytes === null) return null;
  return promptPrefixes(key, bytes);
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : null;
}

function ofJson(kind: PaidKind, text: string, bytes: number): RequestFacts {
  const outline = new JsonOutline(MEMBERS);
  outline.feed(text);
  const { value, cut } = outline.end();
  const asked = asObject(value);
  const bounded = asked !== null && !cut && isTextKind(kind) && !readsMore(asked);
  return {
    model: plainName(asked?.['model']),
    stream: asked?.['stream'] === true,
    max_tokens:
      asInteger(asked?.['max_completion_tokens']) ??
      asInteger(asked?.['max_tokens']) ??
      asInteger(asked?.['max_output_tokens']),
    prompt_bytes: bounded ? bytes : bytes + UNSEEN_INPUT,
    bytes_out: bytes,
    units: isTextKind(kind) ? null : unitsOf(kind, asked ?? {}),
  };
}

/** True where a model is given more than the text of the body. */
function readsMore(asked: JsonObject): boolean {
  if (['previous_response_id', 'conversation'].some((name) => (asked[name] ?? null) !== null)) return true;
  // In the responses format a prompt is a template that stands at the provider.
  if (asObject(asked['prompt']) !== null) return true;
  return ['messages', 'input', 'system', 'tools'].some((name) => hasOtherTypes(asked[name]));
}

function hasOtherTypes(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOtherTypes);
  const object = asObject(value);
  if (object === null) return false;
  const { type } = object;
  if (typeof type === 'string' && !PLAIN_TYPES.has(type)) return true;
  return hasOtherTypes(object['content']);
}

function ofForm(kind: PaidKind, form: FormData): RequestFacts {
  const named = (name: string): unknown => form.get(name);
  const asked = Object.fromEntries(
    ['model', 'n', 'size', 'quality', 'seconds', 'resolution'].map((name) => [name, named(name)]),
  );
  return {
    model: plainName(asked['model']),
    stream: false,
    max_tokens: null,
    prompt_bytes: UNSEEN_INPUT,
    bytes_out: null,
    units: unitsOf(kind, asked),
  };
}

function unitsOf(kind: PaidKind, asked: JsonObject): CallUnits {
  const size = plainName(asked['size']);
  if (kind !== 'video')
    return {
      images: countOf(asked['n']) ?? 1,
      size,
      quality: plainName(asked['quality']),
      seconds: null,
      resolution: null,
    };
  return {
    images: null,
    size,
    quality: null,
    seconds: countOf(asked['seconds'] ?? asked['duration']),
    resolution: plainName(asked['resolution']) ?? size,
  };
}

/** A number, or a text that is one. */
function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}
