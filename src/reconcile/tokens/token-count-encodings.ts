import { createRequire } from 'node:module';
import type * as Encoding from 'gpt-tokenizer/encoding/o200k_base';

/** Open encodings whose tables come with the tokenizer package, the one of newer models first. */
export const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof ENCODINGS)[number];

/** Models that are known to count by an encoding; of all others the counts themselves must show it. */
const FAMILIES: readonly (readonly [RegExp, EncodingName])[] = [
  [/^(openai\/)?(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|chatgpt-4o|o1|o3|o4)\b/, 'o200k_base'],
  [/^(openai\/)?(gpt-4|gpt-3\.5)\b/, 'cl100k_base'],
];

/** A text that looks like a special token is ordinary text to who sends it. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const load = createRequire(import.meta.url);
const loaded = new Map<EncodingName, typeof Encoding>();

/** The encodings that a model may count by. */
export function encodingsOf(model: string): readonly EncodingName[] {
  const known = FAMILIES.find(([pattern]) => pattern.test(model));
  return known === undefined ? ENCODINGS : [known[1]];
}

/** Tokens of a text. The table of an encoding, some megabytes, is read when it is first asked for. */
export function countByEncoding(encoding: EncodingName, text: string): number {
  return encodingOf(encoding).countTokens(text, AS_TEXT);
}

function encodingOf(name: EncodingName): typeof Encoding {
  const held = loaded.get(name);
  if (held !== undefined) return held;
  const encoding: typeof Encoding = load(`gpt-tokenizer/encoding/${name}`);
  // A full cache of merges costs more than it saves on texts that never repeat.
  encoding.setMergeCacheSize(0);
  loaded.set(name, encoding);
  return encoding;
}
