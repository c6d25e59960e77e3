import { describe, expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { markerOf } from '../../core/marker.ts';
import { markedPrompt, planCall } from '../../workload/call-plan.ts';
import { scenarioOf, textOf } from '../../workload/plan.test-support.ts';
import { inputOf, only, recordOf, TEXT_MODEL, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { countByEncoding } from '../tokens/token-count-encodings.ts';
import { LEAST_CALLS, MOST_COUNTED, ownCounts, templateOf } from '../tokens/token-count-learn.ts';

const SCENARIO = scenarioOf({ model: TEXT_MODEL, text: textOf({ prompt_bytes: [120, 200, 280, 400] }) });
const PLAN = { nonce: 'n1', workload: { seed: 7, scenarios: [SCENARIO] } };

/** Calls of the plan; `told` makes the input tokens of an answer from the tokens of its prompt. */
function calls(count: number, told: (own: number, n: number) => number): readonly CallRow[] {
  return Array.from({ length: count }, (_, n) => {
    const row = textRow(`c${n}`);
    const prompt = markedPrompt(planCall(7, SCENARIO, n), markerOf('n1', row.call_id));
    const input = told(countByEncoding('o200k_base', prompt), n);
    return {
      ...row,
      iteration: n,
      prompt_bytes: prompt.length,
      usage: { input, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
    };
  });
}

/** A bill in which every record agrees with its answer, or tells `recorded` input tokens. */
function bill(rows: readonly CallRow[], recorded?: number): Reconciliation {
  const records = rows.map((row, index) => {
    const input = recorded ?? row.usage?.input ?? 0;
    const amount = `0.00${String(input * 2 + 800).padStart(4, '0')}`;
    return recordOf(`c${index}`, {
      input_tokens: input,
      amount,
      reserved_amount: amount,
      refunded_amount: '0',
    });
  });
  return reconcile({ ...inputOf({ rows, sweeps: [{ records }] }), own_counts: ownCounts(PLAN, rows) });
}

describe('an answer and its record that agree on too much', () => {
  test('are found by the count of what was sent with the template that nearly all calls have', () => {
    const rows = calls(60, (own, n) => (n === 30 ? own + 7 + 50 : own + 7));
    const result = bill(rows);
    expect(only(result)).toMatchObject({
      class: 'token_mismatch',
      rule: 'own_count',
      confidence: 'strong',
      direction: 'over',
      call_id: 'call-c30',
      delta_exact: null,
      delta_min: '0',
      delta_max: '0.0001',
      bridge: 'none',
    });
    expect(result.calls.filter(({ verdict }) => verdict === 'finding').map(({ call_id }) => call_id)).toEqual(
      ['call-c30'],
    );
    expect(result.coverage.settings.find(({ name }) => name === 'own_token_count')?.value).toBe(
      '60 of 60 text calls',
    );
  });

  test('are not, where the record differs from the answer: that is told as such', () => {
    const rows = calls(60, (own, n) => (n === 30 ? own + 7 + 50 : own + 7));
    const rules = bill(rows, 1000).findings.map(({ rule }) => rule);
    expect(rules).not.toContain('own_count');
    expect(rules).toContain('input');
  });

  test('are not, where fewer tokens were told than sent', () => {
    expect(bill(calls(60, (own, n) => (n === 30 ? own : own + 7))).findings).toEqual([]);
  });
});

describe('nothing is known of a template', () => {
  test('that fewer calls show than it takes', () => {
    const odd = (own: number, n: number) => (n === 30 ? own + 57 : own + 7);
    expect(ownCounts(PLAN, calls(LEAST_CALLS - 1, odd)).calls.size).toBe(0);
    expect(ownCounts(PLAN, calls(LEAST_CALLS, odd)).calls.size).toBe(LEAST_CALLS);
  });

  test('where the user adds tools and the like, which are tokens too', () => {
    const { workload } = PLAN;
    const scenarios = workload.scenarios.map((scenario) => ({ ...scenario, body: '{"tools":[]}' }));
    const odd = (own: number) => own + 7;
    const plan = { ...PLAN, workload: { ...workload, scenarios } };
    expect(ownCounts(plan, calls(LEAST_CALLS, odd)).calls.size).toBe(0);
  });

  test('that grows with the prompt, or by which the target counts in another way', () => {
    expect(
      ownCounts(
        PLAN,
        calls(60, (own) => own + Math.ceil(own / 10)),
      ).calls.size,
    ).toBe(0);
    expect(bill(calls(60, (own) => Math.ceil(own * 1.25))).findings).toEqual([]);
  });

  test.each([
    ['nearly all agree', [...Array(57).fill(7), 8, 9, 40], 7],
    ['one more does not', [...Array(56).fill(7), 8, 9, 40, 41], null],
    ['all are told less than was sent', Array(60).fill(-3), null],
    ['a target adds none', Array(60).fill(0), 0],
    ['too few were counted', Array(49).fill(7), null],
  ])('unless %s', (_, beyond: readonly number[], template) => {
    expect(templateOf(beyond)).toBe(template);
  });
});

describe('no count is made', () => {
  const rows = calls(60, (own) => own + 7);

  test.each<readonly [string, Partial<CallRow>]>([
    ['a later turn', { turn: 2 }],
    ['a further attempt', { attempt: 2 }],
    ['a scenario of another plan', { scenario: 'other' }],
    ['another size than was planned', { prompt_bytes: 5 }],
    ['an answer that tells no usage', { usage: null }],
  ])('of %s', (_, changes) => {
    const [first, ...others] = rows;
    if (first === undefined) throw new Error('no rows');
    const counts = ownCounts(PLAN, [{ ...first, ...changes }, ...others]);
    expect([counts.calls.has(first.call_id), counts.calls.size]).toEqual([false, 59]);
  });

  test('without a plan', () => {
    expect(ownCounts(null, [...rows])).toEqual({ calls: new Map(), text_calls: 60 });
  });
});

test('of many calls a part is counted, the same one in whatever order they come', () => {
  const rows = calls(MOST_COUNTED + 10, (own) => own + 7);
  const ids = [...ownCounts(PLAN, rows).calls.keys()].sort();
  expect(ids).toHaveLength((MOST_COUNTED + 10) / 2);
  expect([...ownCounts(PLAN, rows.toReversed()).calls.keys()].sort()).toEqual(ids);
});
