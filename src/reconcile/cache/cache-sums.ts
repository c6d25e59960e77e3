import type { CacheFigures } from '../../contracts/cache-result.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { CacheCall } from './cache-call.ts';

/** Adds up what a cache gave and owed. */
export function cacheFigures(calls: readonly CacheCall[]): CacheFigures {
  const count = (is: (call: CacheCall) => boolean): number => calls.filter(is).length;
  const tokens = (of: (call: CacheCall) => number): number => calls.reduce((sum, call) => sum + of(call), 0);
  const usd = (of: (call: CacheCall) => PicoUsd): string =>
    formatAmount(calls.reduce((sum, call) => sum + of(call), 0n));
  return {
    hits: count(({ prompt }) => prompt.told.read > 0),
    missed: {
      lo: count(({ lost_tokens }) => lost_tokens.lo > 0),
      hi: count(({ lost_tokens }) => lost_tokens.hi > 0),
    },
    lost_tokens: {
      lo: tokens(({ lost_tokens }) => lost_tokens.lo),
      hi: tokens(({ lost_tokens }) => lost_tokens.hi),
    },
    lost: { lo: usd(({ lost }) => lost.lo), hi: usd(({ lost }) => lost.hi) },
    saved: usd(({ saved }) => saved.lo),
    rewritten: {
      calls: count((call) => call.rewritten_tokens > 0),
      tokens: tokens((call) => call.rewritten_tokens),
      amount: usd(({ rewritten }) => rewritten.lo),
    },
    invented: {
      calls: count((call) => call.invented_tokens > 0),
      tokens: tokens((call) => call.invented_tokens),
      amount: usd(({ invented }) => invented.lo),
    },
  };
}
