import type { Finding } from '../../contracts/finding.ts';
import { plural } from '../../text/plural.ts';
import type { CacheCall } from '../cache/cache-call.ts';
import type { CacheOwed } from '../cache/cache-owed.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { makeFinding } from './make-finding.ts';
import { declaration } from './warrants.ts';

/** No provider owes a hit on every call: only a promise that the configuration declares makes a miss a finding. */
export function judgeCache(
  { terms }: Pick<JudgeContext, 'terms'>,
  owed: CacheOwed | null,
): readonly Finding[] {
  if (owed === null || terms.cache?.promised !== true) return [];
  const missed = owed.calls.filter(({ lost }) => lost.lo > 0n);
  return [...Map.groupBy(missed, ({ prompt }) => prompt.call.model)].map(([model, calls]) =>
    ofModel(model, calls),
  );
}

function ofModel(model: string, calls: readonly CacheCall[]): Finding {
  const min = calls.reduce((sum, { lost }) => sum + lost.lo, 0n);
  const max = calls.reduce((sum, { lost }) => sum + lost.hi, 0n);
  const sum = min === max ? signedUsdText(min) : `between ${signedUsdText(min)} and ${signedUsdText(max)}`;
  return makeFinding({
    class: 'cache_read_at_full_price',
    rule: 'promised_hit',
    severity: 'S2',
    confidence: 'bounded',
    warrant: declaration('billing.cache.promised'),
    delta: min === max ? min : { min, max },
    direction: 'over',
    // The charges are right by what the answers told: no sum of the bill rests on it.
    bridge: 'none',
    evidence: calls.map(({ prompt }) => `call:${prompt.call.call_id}`),
    model,
    rows: calls.length,
    explanation: `${plural(calls.length, 'call')} of ${model} began as an earlier one within the declared lifetime, and got no hit or a shorter one: ${sum} more than with the hits that were promised`,
    next_step:
      'Ask the gateway why these calls missed the cache; without a promise, take billing.cache.promised out',
  });
}
