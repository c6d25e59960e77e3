import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import { asObject } from '../wire/json-fields.ts';
import { eventsOfAnswer, isAnswerShaped } from '../wire/plain-answer.ts';
import { createTextStream, type StreamEvent } from '../wire/text-stream.ts';
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

/** A longer string is made outside the young heap, which costs ten times as much. */
const SLICE = 64 * 1024;

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
    for (let from = 0; from < chunk.byteLength; from += SLICE) {
      const slice = chunk.subarray(from, from + SLICE);
      this.#outline.feed(this.#decoder.decode(slice, { stream: true }));
    }
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
      opening: document,
    };
    if (!isTextKind(this.#kind))
      return { ...nothing, shaped: document !== null && isAnswerShaped(this.#kind, document, isFilled) };
    if (document === null) return { ...nothing, shaped: false };
    const folded = new FoldedText();
    const stream = createTextStream(this.#kind);
    let missing = 0;
    for (const { type, body } of eventsOfAnswer(this.#kind, document)) {
      const event: StreamEvent = { type, data: folded.jsonOf(body) };
      missing += folded.missing(stream.event(event).text);
    }
    if (this.#kind === 'chat') stream.event({ type: '', data: '[DONE]' });
    const { out_chars, ...text } = stream.result();
    return {
      ...nothing,
      text: { ...text, terminal_seen: false, events: 0, tools: cut ? null : text.tools },
      out_chars: cut ? null : out_chars + missing,
      shaped: isAnswerShaped(this.#kind, document, isFilled),
    };
  }
}

/** A text, kept or only counted. */
function isFilled(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
}
