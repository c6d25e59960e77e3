import type { CacheTerms, ToldPrompt } from './cache-terms.ts';
import { prefixName } from './prompt-call.ts';

/** Tokens that a call should have been told as read from the cache: for certain, and at most. */
export interface OwedTokens {
  readonly lo: number;
  readonly hi: number;
}

/** What the calls of one model show of the beginnings that they share. */
export interface PrefixSizes {
  /** Tokens that were told as read, by the longest warm beginning of the call that read them. */
  readonly read: ReadonlyMap<string, OwedTokens>;
  /** Input tokens of calls that a beginning is the whole prompt of. */
  readonly whole: ReadonlyMap<string, number>;
}

/** Sizes in tokens as the target told them: bytes alone tell no number of tokens. */
export function prefixSizes(prompts: readonly ToldPrompt[]): PrefixSizes {
  const read = new Map<string, OwedTokens>();
  const whole = new Map<string, number>();
  for (const { prefixes, warm, told, call } of prompts) {
    const longest = warm[0];
    if (told.read > 0 && longest !== undefined) {
      const { lo, hi } = read.get(longest.name) ?? { lo: told.read, hi: told.read };
      read.set(longest.name, { lo: Math.min(lo, told.read), hi: Math.max(hi, told.read) });
    }
    const last = prefixes.at(-1);
    if (last !== undefined) whole.set(prefixName(call, last), told.input);
  }
  return { read, whole };
}

/** Owed for certain is what calls with the same beginning were told, within the time after which hits were seen. */
export function owedTokens(prompt: ToldPrompt, terms: CacheTerms, sizes: PrefixSizes): OwedTokens {
  const { warm, told } = prompt;
  const { seen_ms } = terms;
  const certain = seen_ms === null ? [] : warm.filter(({ answered_ago_ms }) => answered_ago_ms <= seen_ms);
  const lo = Math.max(
    0,
    ...certain.map(({ name }) => sizes.read.get(name)?.lo ?? 0),
    ...(terms.promised ? certain.map((each) => promisedTokens(leastInput(prompt, each, sizes), terms)) : []),
  );
  const longest = warm.find(({ answered_ago_ms }) => answered_ago_ms <= terms.most_ms);
  if (longest === undefined) return { lo: 0, hi: 0 };
  const seen = sizes.read.get(longest.name)?.hi ?? null;
  // What came tells more than a guess.
  const hi = seen ?? (told.read > 0 ? told.read : estimated(prompt, longest, sizes, terms.block_tokens));
  const least = Math.min(lo, told.input);
  return { lo: least, hi: hi < terms.least_tokens ? least : Math.max(least, Math.min(hi, told.input)) };
}

/** Fewer tokens no beginning has: those of the call that sent no more, or this input less a token for each further byte. */
function leastInput(
  { prefixes, told }: ToldPrompt,
  { name, bytes }: { readonly name: string; readonly bytes: number },
  { whole }: PrefixSizes,
): number {
  const all = prefixes.at(-1)?.bytes ?? bytes;
  return Math.max(whole.get(name) ?? 0, told.input - (all - bytes));
}

/** What is promised of an earlier prompt of so many tokens: whole blocks, from the least on. */
function promisedTokens(input: number, { block_tokens, least_tokens }: CacheTerms): number {
  const held = Math.max(0, input - MOST_CLOSING);
  const tokens = held - (held % block_tokens);
  return tokens < least_tokens ? 0 : tokens;
}

/** More tokens than a template puts behind the last message: they count in the input and begin no other prompt. */
const MOST_CLOSING = 16;

/** Tokens of a beginning that no hit was told of: those of the call that sent no more, else in proportion to the bytes. */
function estimated(
  { prefixes, told }: ToldPrompt,
  { name, bytes }: { readonly name: string; readonly bytes: number },
  { whole }: PrefixSizes,
  block: number,
): number {
  const all = prefixes.at(-1)?.bytes ?? bytes;
  const tokens = whole.get(name) ?? Math.ceil((told.input * bytes) / all);
  return tokens - (tokens % block);
}
