import type { CacheFigures, CacheResult } from '../../contracts/cache-result.ts';
import { plural } from '../../text/plural.ts';
import { sumText, usd } from './figure-text.ts';

/** What misses of the prompt cache cost, in one line; null where no hit came and none was owed. */
export function cacheWords(cache: CacheResult | undefined): string | null {
  if (cache === undefined || (cache.hits === 0 && cache.missed.hi === 0)) return null;
  const { lost, saved } = cache;
  const most = sumText([saved, lost.hi]);
  return `lost to misses ${lossText(lost)} of ${usd(most)} that hits would have saved · ${missedWords(cache)}`;
}

/** `3 of 40 hits that were owed did not come`, as a span where it is one. */
function missedWords({ hits, missed }: Pick<CacheFigures, 'hits' | 'missed'>): string {
  const missing = missed.lo === missed.hi ? String(missed.lo) : `${missed.lo} to ${missed.hi}`;
  return `${missing} of ${plural(hits + missed.hi, 'owed hit')} missed`;
}

export function lossText({ lo, hi }: { readonly lo: string; readonly hi: string }): string {
  return lo === hi ? usd(lo) : `${usd(lo)} to ${usd(hi)}`;
}
