import { Buffer } from 'node:buffer';
import type { TextModel } from '../models/model.ts';
import { countO200k } from './count-o200k.ts';
import type { PromptMessage } from './prompt-message.ts';

type Tokenizer = TextModel['tokenizer'];

/** Tokens that the chat template adds, of this gateway's own making. */
const TEMPLATE: Readonly<Record<Tokenizer, { readonly per_message: number; readonly per_reply: number }>> = {
  o200k_base: { per_message: 4, per_reply: 3 },
  bytes: { per_message: 5, per_reply: 2 },
};

export const BYTES_PER_TOKEN = 4;

/** `o200k_base`, or by the byte rule: UTF-8 bytes / 4, rounded up. Above `most` the count may stop short. */
export function countTokens(tokenizer: Tokenizer, text: string, most?: number): number {
  if (tokenizer === 'o200k_base') return countO200k(text, most);
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export interface PromptCount {
  /** The whole prompt, template included. */
  readonly total: number;
  /** All messages but the last: what a prompt cache could hold. */
  readonly prefix: number;
}

/** Above `most` tokens the count stops: what cannot be served is not worth seconds of the event loop. */
export function countPrompt(
  tokenizer: Tokenizer,
  messages: readonly PromptMessage[],
  most = Number.POSITIVE_INFINITY,
): PromptCount {
  const { per_message, per_reply } = TEMPLATE[tokenizer];
  let sum = 0;
  let last = 0;
  for (const { text } of messages) {
    last = countTokens(tokenizer, text, most) + per_message;
    sum += last;
    if (sum > most) break;
  }
  return { total: sum + per_reply, prefix: sum - last };
}
