import { createRequire } from 'node:module';
import type * as Library from '@huggingface/tokenizers';
import { jsonOf } from './json-of.ts';

/** Counts the tokens of a text, without those that a template adds. */
export type CountTokens = (text: string) => number;

const load = createRequire(import.meta.url);

/** Reads the text of a tokenizer.json; a text says what is wrong with it. The library is loaded when it is first asked for. */
export function tokenizerOf(json: string): CountTokens | { readonly fault: string } {
  const parsed = jsonOf(json);
  if (typeof parsed !== 'object' || parsed === null) return { fault: 'it holds no JSON object' };
  const { Tokenizer }: typeof Library = load('@huggingface/tokenizers');
  try {
    const tokenizer = new Tokenizer(parsed, {});
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
