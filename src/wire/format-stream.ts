import type { CallUsage } from '../contracts/ledger-lines.ts';
import type { ErrorType } from '../contracts/outcome.ts';
import type { TextKind } from '../core/call-kind.ts';
import { codePointsIn } from '../text/code-points.ts';
import type { ServedError } from './api-error.ts';
import { asName, asObject, asText, type JsonObject } from './json-fields.ts';
import { readUsage } from './token-usage.ts';

/** One Server-Sent Event; type is '' without an event: line. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** What one event carried. TTFT stands at the first content, TTFO at the first visible. */
export interface TextStep {
  /** Non-empty generated content of any channel: text, refusal, reasoning, tool-call arguments. */
  readonly content: boolean;
  /** Text or refusal; `text` is what it was. */
  readonly visible: boolean;
  readonly text: string;
  /** The format's own end; an error event is not one. */
  readonly terminal: boolean;
}

/** The judgement on a streamed answer, under the names of the ledger row. */
export interface TextResult {
  /** The format's own complete ending, and no error on the way. */
  readonly complete: boolean;
  readonly error_type: ErrorType;
  /** As served; for responses completed, length (max_output_tokens), another reason, or failed. */
  readonly finish: string | null;
  readonly terminal_seen: boolean;
  readonly usage: CallUsage | null;
  /** Calls of the target's own tools, by name; null where the answer does not list its output. */
  readonly tools: Readonly<Record<string, number>> | null;
  readonly response_id: string | null;
  readonly response_model: string | null;
  readonly service_tier: string | null;
  readonly error_code: string | null;
  readonly api_error_type: string | null;
  readonly error_message: string | null;
  /** Code points of visible text. */
  readonly out_chars: number;
  /** Events with data; comments are not counted. */
  readonly events: number;
}

const NOTHING: TextStep = { content: false, visible: false, text: '', terminal: false };

/** Code points of a foreign message that are kept. */
const MAX_MESSAGE = 1000;

/** What the three formats share; never fails, and gives a result at any moment, for cut streams too. */
export abstract class FormatStream {
  protected finish: string | null = null;
  /** The format's reason to stop is known. */
  protected finished = false;
  /** A response that says it is incomplete for another reason than its length. */
  protected partial = false;
  protected usage: JsonObject | null = null;
  protected tools: Readonly<Record<string, number>> | null = null;
  protected content = false;
  readonly #kind: TextKind;
  #terminal = false;
  #badJson = false;
  #failure: ServedError | null = null;
  #events = 0;
  #outChars = 0;
  #id: string | null = null;
  #model: string | null = null;
  #tier: string | null = null;

  constructor(kind: TextKind) {
    this.#kind = kind;
  }

  /** Takes the next event. What comes after the terminal event is counted and not read. */
  event(event: StreamEvent): TextStep {
    this.#events += 1;
    return this.#terminal ? NOTHING : this.read(event);
  }

  protected abstract read(event: StreamEvent): TextStep;

  protected nothing(): TextStep {
    return NOTHING;
  }

  /** Not a JSON object: nothing of the event counts. */
  protected garbled(): TextStep {
    this.#badJson = true;
    return NOTHING;
  }

  /** The first error holds. */
  protected fail(error: ServedError): TextStep {
    this.#failure ??= error;
    return NOTHING;
  }

  protected end(visible: readonly unknown[] = [], hidden: readonly unknown[] = []): TextStep {
    this.#terminal = true;
    return { ...this.pieces(visible, hidden), terminal: true };
  }

  /** Takes pieces of generated content; what is no string or empty is none. */
  protected pieces(visible: readonly unknown[], hidden: readonly unknown[]): TextStep {
    const text = visible.map(asText).join('');
    const content = text !== '' || hidden.some((piece) => asText(piece) !== '');
    if (!content) return NOTHING;
    this.content = true;
    this.#outChars += codePointsIn(text);
    return { content, visible: text !== '', text, terminal: false };
  }

  /** Keeps the first id and model served; of the service tier the last, which is the one that was used. */
  protected identify(from: JsonObject): void {
    this.#id ??= asName(from['id']);
    this.#model ??= asName(from['model']);
    this.#tier = asName(from['service_tier']) ?? this.#tier;
  }

  /** The last usage holds: it is never summed. */
  protected setUsage(raw: unknown): void {
    const usage = asObject(raw);
    if (usage !== null && Object.keys(usage).length > 0) this.usage = usage;
  }

  result(): TextResult {
    const errorType = this.#errorType();
    return {
      complete: errorType === 'none',
      error_type: errorType,
      finish: this.finish,
      terminal_seen: this.#terminal,
      usage: readUsage(this.#kind, this.usage),
      tools: this.tools,
      response_id: this.#id,
      response_model: this.#model,
      service_tier: this.#tier,
      error_code: this.#failure?.code || null,
      api_error_type: this.#failure?.type || null,
      error_message:
        Array.from(this.#failure?.message ?? '')
          .slice(0, MAX_MESSAGE)
          .join('') || null,
      out_chars: this.#outChars,
      events: this.#events,
    };
  }

  #errorType(): ErrorType {
    if (this.#failure !== null) return 'stream_error_event';
    if (this.partial) return 'stream_incomplete';
    if (this.#badJson) return 'stream_bad_json';
    if (!this.#terminal) return this.#events === 0 ? 'stream_empty' : 'stream_no_terminator';
    if (!this.finished) return this.content ? 'stream_incomplete' : 'stream_empty';
    return 'none';
  }
}

/** [DONE] is no JSON and ends only the chat format. */
export function isDone(data: string): boolean {
  return data.trim() === '[DONE]';
}
