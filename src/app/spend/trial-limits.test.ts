import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PriceBound } from '../../contracts/plan.ts';
import { textRow } from '../../reconcile/rows.test-support.ts';
import { planOf, scenarioOf, workloadOf } from '../../workload/plan.test-support.ts';
import { judgeLimits, withLimits } from './trial-limits.ts';

const scenario = scenarioOf({ name: 'chat', model: 'm' });
const plan = planOf({ workload: workloadOf({ scenarios: [scenario] }) });

function row(
  changes: Partial<CallRow>,
  output: number | null = 16,
  reasoning: number | null = null,
): CallRow {
  const usage = { input: 50, output, cache_read: 0, cache_write: 0, reasoning, raw: {} };
  return textRow('t', { scenario: 'chat', model: 'm', max_tokens: 16, finish: 'length', usage, ...changes });
}

test.for([
  ['cut at its limit', row({}), true, /cut the call at 16 tokens/],
  ['cut at its limit in the messages format', row({ finish: 'max_tokens' }), true, /cut the call/],
  ['cut at its limit by reasoning alone', row({}, 16, 16), true, /cut the call/],
  ['ended by itself', row({ finish: 'stop' }, 9), false, /ended by itself after 9 tokens/],
  ['wrote more than the limit', row({}, 40), false, /40 tokens were written though 16/],
  ['reasoned beyond the limit, counted apart', row({}, 16, 400), false, /416 tokens were written/],
  ['told no output', row({}, null), false, /tells no output tokens/],
  ['told no usage', row({ usage: null }), false, /tells no output tokens/],
  ['sent no limit', row({ max_tokens: null }), false, /none was sent/],
  ['failed', row({ outcome: 'http_error' }), false, /ended http_error/],
] as const)('a trial call that %s', ([, trial, obeyed, what]) => {
  expect(judgeLimits(plan, [trial])).toEqual([{ scenario, obeyed, what: expect.stringMatching(what) }]);
});

test('without a call nothing is shown, and pictures have no limit', () => {
  expect(judgeLimits(plan, []).map(({ obeyed }) => obeyed)).toEqual([false]);
  const image = scenarioOf({ kind: 'image', text: null });
  expect(judgeLimits(planOf({ workload: workloadOf({ scenarios: [image] }) }), [])).toEqual([]);
});

test('a bound that scenarios share counts on the limit only where the trial of each showed it', () => {
  const other = scenarioOf({ name: 'long', model: 'm' });
  const bound: PriceBound = {
    model: 'm',
    kind: 'chat',
    per_input_token: '1',
    per_output_token: '1',
    fixed: '0',
    max_output_tokens: 4000,
    limit_obeyed: false,
  };
  const bounds = [bound, { ...bound, kind: 'messages' as const }];
  const of = (long: boolean) =>
    withLimits(bounds, [
      { scenario, obeyed: true, what: '' },
      { scenario: other, obeyed: long, what: '' },
    ]).map(({ limit_obeyed }) => limit_obeyed);
  expect(of(true)).toEqual([true, false]);
  expect(of(false)).toEqual([false, false]);
});
