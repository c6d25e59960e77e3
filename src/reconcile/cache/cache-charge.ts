import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { chargeContext, factsOf } from '../expect/call-facts.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { ToldTokens } from './told-tokens.ts';

/** By how much a charge falls, USD: one figure, or its bounds. */
export interface Fall {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
}

export const NO_FALL: Fall = { lo: 0n, hi: 0n };

type Cached = Pick<ToldTokens, 'read' | 'write'>;

/** What a call costs by the price book of its record with so many tokens cached; null where that is not known. */
export class CacheCharge {
  readonly #of: (cached: Cached) => Fall | null;

  constructor(context: JudgeContext, { call, records }: CallMatch, { input }: Pick<ToldTokens, 'input'>) {
    const record = records[0] ?? null;
    const book = bookOf(context, record);
    const facts = book === null ? null : factsOf(context, call, record, book);
    this.#of = (cached) =>
      book === null || facts === null
        ? null
        : chargeBounds(evaluateCharge(book, withCached(facts, input, cached), chargeContext(context, call)));
  }

  /** `from` less `to`, never below 0: a cache that costs more than it saves takes nothing off. */
  fall(from: Cached, to: Cached): Fall {
    if (from.read === to.read && from.write === to.write) return NO_FALL;
    const [before, after] = [this.#of(from), this.#of(to)];
    if (before === null || after === null) return NO_FALL;
    return { lo: above0(before.lo - after.hi), hi: above0(before.hi - after.lo) };
  }
}

function withCached(facts: ChargeFacts, input: number, { read, write }: Cached): ChargeFacts {
  return {
    ...facts,
    input: BigInt(Math.max(input, read + write)),
    cache_read: BigInt(read),
    cache_write: BigInt(write),
  };
}

function chargeBounds(charge: ReturnType<typeof evaluateCharge>): Fall | null {
  return 'unpriced' in charge ? null : { lo: charge.lo, hi: charge.hi };
}

function above0(amount: PicoUsd): PicoUsd {
  return amount > 0n ? amount : 0n;
}
