import type { DeclaredCache } from '../../contracts/billing-terms.ts';
import type { ModelCache } from '../../contracts/cache-result.ts';
import type { ToldTokens } from './told-tokens.ts';
import type { WarmPrompt } from './warm-prefixes.ts';

/** A call, what it was told, and the beginnings of its prompt that may have been in the cache. */
export interface ToldPrompt extends WarmPrompt {
  readonly told: ToldTokens;
}

/** Under which terms a hit is owed: for certain as far as hits were seen, at most as far as caches usually go. */
export interface CacheTerms {
  readonly shown: Pick<ModelCache, 'lifetime_s' | 'least_tokens' | 'block_tokens'>;
  /** Null: no hit was seen, and none is owed for certain. */
  readonly seen_ms: number | null;
  readonly most_ms: number;
  readonly least_tokens: number;
  readonly block_tokens: number;
  /** Every hit is owed for certain, whatever other calls were told. */
  readonly promised: boolean;
}

/** The least that providers publish; they bound what can be owed and prove nothing. */
const USUAL_LIFETIME_MS = 300_000;
const USUAL_LEAST_TOKENS = 1024;
/** Fewer sizes of hits show no block: they may have a divisor in common by chance. */
const LEAST_SIZES = 4;
const LEAST_BLOCK = 16;

/** Learns the terms of one model's cache from the calls that hit it. */
export function cacheTerms(prompts: readonly ToldPrompt[], declared: DeclaredCache | null): CacheTerms {
  const hits = prompts.filter(({ told }) => told.read > 0);
  const seen = mostOf(hits.flatMap((prompt) => ageOfHit(prompt) ?? []));
  const shortest = mostOf(hits.map(({ told }) => -told.read));
  const least = shortest === null ? null : -shortest;
  const block = blockOf(hits.map(({ told }) => told.read));
  const lifetime = declared?.lifetime_ms ?? null;
  return {
    shown: {
      lifetime_s: shownTerm(secondsOf(lifetime), secondsOf(seen), secondsOf(USUAL_LIFETIME_MS)),
      least_tokens: shownTerm(declared?.least_tokens ?? null, least, USUAL_LEAST_TOKENS),
      block_tokens: shownTerm(declared?.block_tokens ?? null, block, null),
    },
    seen_ms: lifetime ?? seen,
    most_ms: lifetime ?? Math.max(seen ?? 0, USUAL_LIFETIME_MS),
    least_tokens: declared?.least_tokens ?? Math.min(least ?? USUAL_LEAST_TOKENS, USUAL_LEAST_TOKENS),
    block_tokens: declared?.block_tokens ?? block ?? 1,
    promised: declared?.promised ?? false,
  };
}

/** How old what was hit had become at least: a token is a byte or more, so a shorter beginning was not it. */
function ageOfHit({ warm, told }: ToldPrompt): number | null {
  const possible = warm.filter(({ bytes }) => bytes >= told.read);
  return possible.length === 0 ? null : Math.min(...possible.map(({ sent_ago_ms }) => sent_ago_ms));
}

function mostOf(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((most, each) => Math.max(each, most ?? each), null);
}

/** The greatest number that divides all of several sizes. */
function blockOf(sizes: readonly number[]): number | null {
  if (new Set(sizes).size < LEAST_SIZES) return null;
  const block = sizes.reduce(commonDivisor);
  return block < LEAST_BLOCK ? null : block;
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

function shownTerm(
  declared: number | null,
  learnt: number | null,
  assumed: number | null,
): ModelCache['lifetime_s'] {
  if (declared !== null) return { value: declared, basis: 'declared' };
  return learnt === null ? { value: assumed, basis: 'assumed' } : { value: learnt, basis: 'learnt' };
}
