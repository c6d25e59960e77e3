import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import type { CacheUse } from '../../tokens/prompt-cache.ts';
import { textCall } from '../hit.ts';

/** The answer and the record agree: only who remembers the earlier prompt can know. */
export const cacheWithhold = defineFault({
  id: 'cache.withhold',
  summary:
    'Keeps back a cache hit that was owed: a prompt whose prefix was sent before, within the lifetime, is reported and charged as if it were not cached; fires only where a hit was owed.',
  charge: 'wrong',
  shape: {
    variant: z
      .enum(['plain', 'written_again'])
      .default('plain')
      .describe(
        'Its tokens are reported and charged as plain input, or as written to the cache again if the model has a price for that.',
      ),
  },
  applies: textCall,
  arm({ variant }, { fire }) {
    let owed = 0;
    return {
      cache({ cacheRead }, { cache_write }): CacheUse | null {
        if (cacheRead === 0) return null;
        owed = cacheRead;
        const again = variant === 'written_again' && cache_write !== null;
        return { cacheRead: 0, cacheWrite: again ? cacheRead : 0 };
      },
      booked(books) {
        const { used, record } = books;
        // A cut stream may be charged by an estimate that knows of no cache.
        if (owed === 0 || used.input < owed || record.status !== 'settled') return;
        const right = { ...used, cacheRead: owed, cacheWrite: 0 };
        const [asCharged, asOwed] = [books.price(used), books.price(right)];
        if (asCharged !== null && asOwed !== null) fire(asCharged - asOwed);
      },
    };
  },
});
