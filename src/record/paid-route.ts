import type { PaidKind, TextKind } from '../core/call-kind.ts';
import { jsonOf } from '../text/json-of.ts';
import { EventText } from '../wire/event-text.ts';
import { createTextStream, type TextStream } from '../wire/text-stream.ts';
import type { AnswerFacts, AnswerReader } from './answer-reader.ts';
import { FoldedText } from './folded-text.ts';
import { JsonOutline } from './json-outline.ts';
import { ANSWER_MEMBERS } from './plain-reader.ts';

const PAID: readonly (readonly [RegExp, PaidKind])[] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/\/messages$/, 'messages'],
  [/\/images\/generations$/, 'image'],
  [/\/images\/edits$/, 'image_edit'],
  [/\/images\/generations\/jobs$/, 'image_job'],
  [/\/images\/edits\/jobs$/, 'image_edit_job'],
  [/\/videos(?:\/generations)?$/, 'video'],
];

const TASK = /\/(?:images\/jobs|videos)\/([^/]+)$/;

/** What a request is by its method and path (interface §4), under whatever base it is sent. */
export type PaidRoute =
  | { readonly what: 'paid'; readonly kind: PaidKind }
  | { readonly what: 'task'; readonly id: string }
  /** A POST of another kind: it may cost money, and no ledger has a kind for it. */
  | { readonly what: 'other_post' }
  | { readonly what: 'other' };

export function routeOf(method: string, path: string): PaidRoute {
  if (method === 'GET') {
    const id = TASK.exec(path)?.[1];
    return id === undefined ? { what: 'other' } : { what: 'task', id: decoded(id) };
  }
  if (method !== 'POST') return { what: 'other' };
  const kind = PAID.find(([pattern]) => pattern.test(path))?.[1];
  return kind === undefined ? { what: 'other_post' } : { what: 'paid', kind };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The most of one event that is held, in UTF-16 units; of a longer one only its outline. */
const MOST_EVENT = 16 * 1024;

/** Reads server-sent events of a text format. */
export class StreamReader implements AnswerReader {
  readonly #stream: TextStream;
  readonly #events: EventText;
  readonly #mostEvent: number;
  #held = '';
  #opening = '';
  #outline: JsonOutline | null = null;
  #cut = false;
  #missingChars = 0;
  #contentEvents = 0;
  #now = 0;
  #firstEventAt: number | null = null;
  #contentAt: number | null = null;
  #visibleAt: number | null = null;

  constructor(kind: TextKind, mostEvent = MOST_EVENT) {
    this.#stream = createTextStream(kind);
    this.#mostEvent = mostEvent;
    this.#events = new EventText({
      data: (piece) => this.#data(piece),
      dispatch: (type) => this.#dispatch(type),
    });
  }

  feed(chunk: Uint8Array, at: number): void {
    this.#now = at;
    this.#events.feed(chunk);
  }

  #data(piece: string): void {
    if (this.#outline !== null) {
      this.#outline.feed(piece);
      return;
    }
    this.#held += piece;
    if (this.#held.length <= this.#mostEvent) return;
    this.#outline = new JsonOutline(ANSWER_MEMBERS);
    this.#outline.feed(this.#held);
    this.#held = '';
  }

  #dispatch(type: string): void {
    const folded = this.#outline === null ? null : new FoldedText();
    const data = this.#outline === null ? this.#held : this.#outlined(this.#outline, folded);
    this.#opening ||= data;
    this.#held = '';
    this.#outline = null;
    const step = this.#stream.event({ type, data });
    this.#missingChars += folded?.missing(step.text) ?? 0;
    this.#firstEventAt ??= this.#now;
    if (step.content) {
      this.#contentEvents += 1;
      this.#contentAt ??= this.#now;
    }
    if (step.visible) this.#visibleAt ??= this.#now;
  }

  #outlined(outline: JsonOutline, folded: FoldedText | null): string {
    const { value, cut } = outline.end();
    this.#cut ||= cut;
    return value === undefined || folded === null ? '' : folded.jsonOf(value);
  }

  facts(): AnswerFacts {
    const { out_chars, ...text } = this.#stream.result();
    return {
      text: this.#cut ? { ...text, tools: null } : text,
      out_chars: this.#cut ? null : out_chars + this.#missingChars,
      shaped: true,
      first_event_at: this.#firstEventAt,
      content_at: this.#contentAt,
      visible_at: this.#visibleAt,
      events: this.#contentEvents,
      document: undefined,
      opening: jsonOf(this.#opening),
    };
  }
}
