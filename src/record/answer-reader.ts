import type { TextResult } from '../wire/text-stream.ts';

/** What an answer told, without a word of it. */
export interface AnswerFacts {
  /** Of the three text formats; null for another kind, and where nothing could be read. */
  readonly text: Omit<TextResult, 'out_chars'> | null;
  /** Code points of visible text; null where they could not all be counted. */
  readonly out_chars: number | null;
  /** False where the body has not the shape of its kind's answers. */
  readonly shaped: boolean;
  /** Visible text, or content of any channel, came; stamps are the moments when. */
  readonly first_event_at: number | null;
  readonly content_at: number | null;
  readonly visible_at: number | null;
  /** Events with content. */
  readonly events: number | null;
  /** The document, as far as it was kept; undefined for a stream. */
  readonly document: unknown;
  /** Where ids may stand: that document, or the first event of a stream. */
  readonly opening: unknown;
}

/** Follows the body of one answer. Nothing that is fed makes it throw. */
export interface AnswerReader {
  /** Takes a piece of the body and when it came, ms on a monotonic clock. */
  feed(chunk: Uint8Array, at: number): void;
  facts(): AnswerFacts;
}
