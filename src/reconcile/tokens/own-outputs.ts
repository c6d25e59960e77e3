import type { EncodingName } from './token-count-encodings.ts';
/** What the client itself counts of the answer that it got. */
export interface OwnOutput {
  readonly encoding: EncodingName;
  /** Tokens of the text. */
  readonly text: number;
  /** Tokens that the target adds to nearly every answer of this model and kind that ended in this way. */
  readonly added: number;
  /** Tokens that the answer tells beyond its reasoning. */
  readonly told: number;
}

/** By call id, of models whose answers agree on one encoding and one number that is added. */
export interface OwnOutputs {
  readonly calls: ReadonlyMap<string, OwnOutput>;
  /** Text calls that tell their output tokens. */
  readonly text_calls: number;
}
