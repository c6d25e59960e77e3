import { isTextKind, type PaidKind, type TextKind } from '../core/call-kind.ts';
import { carriesError } from '../core/formats/api-error.ts';
import { asArray, asName, asObject, type JsonObject } from '../core/formats/json-fields.ts';
import { createTextStream, type StreamEvent } from '../core/formats/text-stream.ts';
import type { AnswerFacts, AnswerReader } from './answer-reader.ts';
import { FoldedText } from './folded-text.ts';
import { JsonOutline } from './json-outline.ts';

/** All that is read of an answer of any kind. */
export const ANSWER_MEMBERS: ReadonlySet<string> = new Set(
  (
    'id type object model service_tier usage error message code success request_id response status choices index ' +
    'finish_reason delta content refusal reasoning reasoning_content tool_calls function function_call arguments ' +
    'output summary text input incomplete_details reason stop_reason content_block thinking partial_json ' +
    'job_id data url b64_json'
  ).split(' '),
);

/** Reads an answer that is one JSON document. */
export class PlainReader implements AnswerReader {
  readonly #kind: PaidKind;
  readonly #outline = new JsonOutline(ANSWER_MEMBERS);
  readonly #decoder = new TextDecoder('utf-8');
  #firstAt: number | null = null;

  constructor(kind: PaidKind) {
    this.#kind = kind;
  }

  feed(chunk: Uint8Array, at: number): void {
    this.#firstAt ??= at;
    this.#outline.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  facts(): AnswerFacts {
    const { value, cut } = this.#outline.end();
    const document = asObject(value);
    const nothing = {
      text: null,
      out_chars: null,
      first_event_at: null,
      content_at: null,
      visible_at: null,
      events: null,
      document,
    };
    if (!isTextKind(this.#kind))
      return { ...nothing, shaped: document !== null && isShaped(this.#kind, document) };
    if (document === null) return { ...nothing, shaped: false };
    const folded = new FoldedText();
    const stream = createTextStream(this.#kind);
    let missing = 0;
    for (const { type, body } of eventsOf(this.#kind, document)) {
      const event: StreamEvent = { type, data: folded.jsonOf(body) };
      missing += folded.missing(stream.event(event).text);
    }
    if (this.#kind === 'chat') stream.event({ type: '', data: '[DONE]' });
    const { out_chars, ...text } = stream.result();
    return {
      ...nothing,
      text: { ...text, terminal_seen: false, events: 0, tools: cut ? null : text.tools },
      out_chars: cut ? null : out_chars + missing,
      shaped: isShaped(this.#kind, document),
    };
  }
}

interface Told {
  readonly type: string;
  readonly body: unknown;
}

/**
 * The document as the events in which the same answer would be streamed: one reading of each format is
 * enough.
 */
function eventsOf(kind: TextKind, document: JsonObject): readonly Told[] {
  if (carriesError(document['error']) && !isFailedResponse(kind, document))
    return [{ type: 'error', body: { type: 'error', error: document['error'] } }];
  if (kind === 'chat') {
    const choices = asArray(document['choices']).map((choice) => {
      const { message, ...rest } = asObject(choice) ?? {};
      return { ...rest, delta: message };
    });
    return [{ type: '', body: { ...document, choices } }];
  }
  if (kind === 'responses') {
    const type = `response.${asName(document['status']) ?? 'none'}`;
    return [{ type, body: { type, response: document } }];
  }
  const { content, usage, stop_reason, ...message } = document;
  return [
    { type: 'message_start', body: { type: 'message_start', message: { ...message, usage } } },
    ...asArray(content).map((block) => ({
      type: 'content_block_start',
      body: { type: 'content_block_start', content_block: block },
    })),
    { type: 'message_delta', body: { type: 'message_delta', delta: { stop_reason } } },
    { type: 'message_stop', body: { type: 'message_stop' } },
  ];
}

function isShaped(kind: PaidKind, document: JsonObject): boolean {
  if (carriesError(document['error'])) return isFailedResponse(kind, document);
  switch (kind) {
    case 'chat': {
      const choices = asArray(document['choices']).map(asObject);
      return (
        choices.length > 0 &&
        choices.every(
          (choice) => asObject(choice?.['message']) !== null && asName(choice?.['finish_reason']) !== null,
        )
      );
    }
    case 'responses':
      return (
        ['completed', 'incomplete', 'failed'].includes(asName(document['status']) ?? '') &&
        (Array.isArray(document['output']) || document['status'] === 'failed')
      );
    case 'messages':
      return Array.isArray(document['content']) && asName(document['stop_reason']) !== null;
    case 'image':
    case 'image_edit': {
      const items = asArray(document['data']).map(asObject);
      return (
        items.length > 0 && items.every((item) => isFilled(item?.['url']) || isFilled(item?.['b64_json']))
      );
    }
    case 'image_job':
    case 'image_edit_job':
      return asName(document['job_id']) !== null;
    case 'video':
      return asName(document['id']) !== null;
  }
}

/** A response that failed says so in the shape of its answers. */
function isFailedResponse(kind: PaidKind, document: JsonObject): boolean {
  return kind === 'responses' && document['status'] === 'failed';
}

/** A text, kept or only counted. */
function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
}
