import type { CacheResult, HourCache, ModelCache } from '../../contracts/cache-result.ts';
import { compareText } from '../../core/compare-text.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { MatchedRecords } from '../match/match-records.ts';
import { acceptedCalls } from '../records/accepted-sums.ts';
import { type CacheCall, cacheCall } from './cache-call.ts';
import { cacheFigures } from './cache-sums.ts';
import { cacheTerms, type ToldPrompt } from './cache-terms.ts';
import { prefixSizes } from './owed-tokens.ts';
import { promptCalls } from './prompt-call.ts';
import { toldTokens } from './told-tokens.ts';
import { warmPrompts } from './warm-prefixes.ts';

/** What the prompt cache of a target gave the calls of a bill, and what it owed them. */
export interface CacheOwed {
  readonly result: CacheResult;
  readonly calls: readonly CacheCall[];
}

/** Null where no charged call tells how its prompt began, and where calls were accepted that are not here. */
export function cacheOwed(
  context: JudgeContext,
  { calls, accepted }: Pick<MatchedRecords, 'calls' | 'accepted'>,
  matches: readonly CallMatch[],
): CacheOwed | null {
  if (acceptedCalls(accepted) > 0) return null;
  const charged = new Map(matches.filter(isCharged).map((match) => [match.call.call_id, match]));
  const inputHoldsCache = context.settings.input_includes_cache === 'yes';
  const prompts = warmPrompts(promptCalls(calls)).flatMap((prompt): ToldPrompt[] => {
    const match = charged.get(prompt.call.call_id);
    const told = match === undefined ? null : toldTokens(match, inputHoldsCache);
    return told === null ? [] : [{ ...prompt, told }];
  });
  if (prompts.length === 0) return null;
  const judged = new Map<string, readonly CacheCall[]>();
  const by_model: ModelCache[] = [];
  for (const [model, group] of byName(prompts, ({ call }) => call.model)) {
    const by = { terms: cacheTerms(group, context.terms.cache), sizes: prefixSizes(group) };
    const priced = group.flatMap((prompt) => {
      const match = charged.get(prompt.call.call_id);
      return match === undefined ? [] : [cacheCall(context, match, prompt, by)];
    });
    judged.set(model, priced);
    by_model.push({ model, ...by.terms.shown, ...cacheFigures(priced) });
  }
  const all = [...judged.values()].flat();
  return {
    calls: all,
    result: {
      calls: prompts.length,
      untold: charged.size - prompts.length,
      ...cacheFigures(all),
      by_model,
      by_hour: byHour(judged),
    },
  };
}

function isCharged({ call, records }: CallMatch): boolean {
  return (
    call.text &&
    call.kind !== 'embedding' &&
    call.outcome === 'ok' &&
    records.some(({ role }) => role === 'settled')
  );
}

function byHour(judged: ReadonlyMap<string, readonly CacheCall[]>): readonly HourCache[] {
  return [...judged]
    .flatMap(([model, calls]) =>
      byName(calls, ({ prompt }) => `${prompt.call.started_at.slice(0, 13)}:00:00Z`).map(
        ([hour, group]): HourCache => ({ hour, model, ...cacheFigures(group) }),
      ),
    )
    .toSorted((left, right) => compareText(left.hour, right.hour) || compareText(left.model, right.model));
}

function byName<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  return [...Map.groupBy(items, nameOf)].sort(([left], [right]) => compareText(left, right));
}
