import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import { CacheCharge, type Fall, NO_FALL } from './cache-charge.ts';
import type { CacheTerms, ToldPrompt } from './cache-terms.ts';
import { type OwedTokens, owedTokens, type PrefixSizes } from './owed-tokens.ts';

/** What the cache gave one call, and what it owed it. */
export interface CacheCall {
  readonly prompt: ToldPrompt;
  readonly lost_tokens: OwedTokens;
  readonly lost: Fall;
  readonly saved: Fall;
  readonly rewritten_tokens: number;
  readonly rewritten: Fall;
  readonly invented_tokens: number;
  readonly invented: Fall;
}

/** Prices one call as it was told, and as it should have been: what is read is neither new nor written. */
export function cacheCall(
  context: JudgeContext,
  match: CallMatch,
  prompt: ToldPrompt,
  { terms, sizes }: { readonly terms: CacheTerms; readonly sizes: PrefixSizes },
): CacheCall {
  const { told } = prompt;
  const owed = owedTokens(prompt, terms, sizes);
  const lost_tokens = { lo: Math.max(0, owed.lo - told.read), hi: Math.max(0, owed.hi - told.read) };
  const charge = new CacheCharge(context, match, told);
  const hit = (more: number) => ({ read: told.read + more, write: Math.max(0, told.write - more) });
  const least = hit(lost_tokens.lo);
  const invented_tokens = inventedTokens(prompt, context.terms.cache?.least_tokens ?? null);
  const rewritten_tokens = told.write - invented_tokens - Math.min(least.write, told.write - invented_tokens);
  return {
    prompt,
    lost_tokens,
    lost: {
      lo: charge.fall(told, least).lo,
      hi: charge.fall(told, hit(lost_tokens.hi)).hi,
    },
    saved: told.read === 0 ? NO_FALL : charge.fall({ read: 0, write: told.write }, told),
    rewritten_tokens,
    rewritten: charge.fall(told, { read: told.read, write: told.write - rewritten_tokens }),
    invented_tokens,
    invented: charge.fall(told, { read: told.read, write: told.write - invented_tokens }),
  };
}

/** Tokens that cannot have been written: beyond the prompt, or of a prompt that is too short to be held. */
function inventedTokens({ told }: ToldPrompt, declaredLeast: number | null): number {
  if (declaredLeast !== null && told.input < declaredLeast) return told.write;
  return Math.min(told.write, Math.max(0, told.read + told.write - told.input));
}
