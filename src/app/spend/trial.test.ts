import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Plan, PriceBound, ScenarioPlan } from '../../contracts/plan.ts';
import { judgedCallOf } from '../../contracts/reconciliation.test-support.ts';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { errorRow, textRow } from '../../reconcile/rows.test-support.ts';
import { NO_CAP, objectiveOf, planOf, scenarioOf, workloadOf } from '../../workload/plan.test-support.ts';
import { afterTrial, failedLines, judgeTrial, trialLines } from './trial.ts';
import { judgeLimits } from './trial-limits.ts';

const scenario = (name: string): ScenarioPlan => scenarioOf({ name, model: 'm' });

const plan: Plan = planOf({
  plan_hash: 'before',
  cap: { ...NO_CAP, max_spend_usd: '2.5' },
  workload: workloadOf({
    scenarios: [scenario('chat'), scenario('chat-2')],
    objectives: [objectiveOf({ scenario: 'chat' }), objectiveOf({ scenario: 'chat-2' })],
  }),
});

const call = (over: Partial<JudgedCall>): JudgedCall =>
  judgedCallOf({
    call_id: 'trial/chat/0/1',
    request_id: 'id-1',
    record_ids: ['rec-1'],
    expected: '0.001',
    expected_lo: '0.001',
    expected_hi: '0.001',
    charged: '0.001',
    why: 'the sum fits',
    ...over,
  });

function bound(model: string, kind: PriceBound['kind']): PriceBound {
  return {
    model,
    kind,
    per_input_token: '1',
    per_output_token: '1',
    fixed: '0',
    max_output_tokens: 4000,
    limit_obeyed: false,
  };
}

function judged(...calls: JudgedCall[]): Pick<Reconciliation, 'calls'> {
  return { calls };
}

const second = call({ call_id: 'trial/chat-2/0/1' });

test('a linked and priced trial call lets its scenario pass', () => {
  const verdict = judgeTrial(plan, judged(call({}), second), null);
  expect(verdict.stopped).toEqual([]);
  expect(verdict.passed.map((entry) => entry.scenario.name)).toEqual(['chat', 'chat-2']);
});

test('a wrong charge is a finding, not a reason to stop', () => {
  const verdict = judgeTrial(plan, judged(call({ verdict: 'finding', charged: '5' }), second), null);
  expect(verdict.stopped).toEqual([]);
});

test('a result that could not be downloaded stops nothing: the trial asks for record and price, and tells it', () => {
  const row = textRow('a', {
    outcome: 'bad_response',
    error_type: 'download_failed',
    error_message: 'the result could not be downloaded: http_error 403',
  });
  const lost = judgeTrial(plan, judged(call({ outcome: row.outcome, row }), second), null);
  expect(lost.stopped).toEqual([]);
  expect(lost.passed[0]?.what).toContain('; the result could not be downloaded: http_error 403');
  const refused = call({ outcome: row.outcome, row: { ...row, error_type: 'schema_mismatch' } });
  expect(judgeTrial(plan, judged(refused, second), null).stopped).toHaveLength(1);
});

const REFUSED = { error_code: 'model_not_found', error_message: 'There is no model m' };

test.for([
  [{ match: 'none' as const }, /no new record of m fits it/],
  [
    { expected: null, expected_lo: null, expected_hi: null, why: 'not in the book' },
    /cannot be priced: not in the book/,
  ],
  [
    { outcome: 'http_error', row: errorRow('a', 404, REFUSED), why: 'no record is due and there is none' },
    /^the trial call ended http_error 404 model_not_found: There is no model m$/,
  ],
  [{ outcome: 'killed', why: 'no record yet' }, /^the trial call ended killed: no record yet$/],
] as const)('%j stops the scenario', ([over, reason]) => {
  const verdict = judgeTrial(plan, judged(call(over), second), null);
  expect(verdict.stopped.map((entry) => entry.scenario)).toEqual(['chat']);
  expect(verdict.stopped[0]?.reason).toMatch(reason);
});

test('a call without a row was not made, or stopped with the trial', () => {
  const reason = (halted: 'quota_exhausted' | null) =>
    judgeTrial(plan, judged(second), halted).stopped[0]?.reason;
  expect(reason(null)).toBe('the trial call left no row');
  expect(reason('quota_exhausted')).toBe('the trial was stopped before its call: quota_exhausted');
});

test('a call that fell back to the sync endpoint is judged by its last attempt', () => {
  const first = call({ outcome: 'http_error' });
  const verdict = judgeTrial(plan, judged(call({ call_id: 'trial/chat/0/2' }), first, second), null);
  expect(verdict.stopped).toEqual([]);
});

test('what a trial call was answered that failed is told, but not of one that fell back or was kept back', () => {
  const row = (attempt: number, made: CallRow) => ({
    ...made,
    attempt,
    logical_id: 'one',
    call_id: `one/${attempt}`,
  });
  const fell = [row(1, errorRow('a', 404)), row(2, textRow('b'))];
  const kept = textRow('c', { outcome: 'not_sent', status: null });
  expect(failedLines([...fell, kept])).toEqual([]);
  expect(failedLines([errorRow('d', 404, REFUSED)])).toEqual([
    '  trial chat: http_error 404 model_not_found: There is no model m',
  ]);
});

test('a stopped scenario leaves the plan with its objectives, and the trial is paid from the cap', () => {
  const verdict = judgeTrial(plan, judged(call({ request_id: null, match: 'none' }), second), null);
  const next = afterTrial(plan, verdict, { rows: [], reservedUsd: '0.75' }, () => 'after');
  expect(next.workload.scenarios.map((entry) => entry.name)).toEqual(['chat-2']);
  expect(next.workload.objectives.map((entry) => entry.scenario)).toEqual(['chat-2']);
  expect(next.stopped.map((entry) => entry.scenario)).toEqual(['chat']);
  expect(next.cap.max_spend_usd).toBe('1.75');
  expect(next.plan_hash).toBe('after');
  expect(afterTrial(plan, verdict, { rows: [], reservedUsd: '9' }, () => 'after').cap.max_spend_usd).toBe(
    '0',
  );
});

test('a trial that was stopped names the reason, and the cap where it was the cap', () => {
  const kept = judged(call({ outcome: 'not_sent' }), second);
  const reasons = (['quota_exhausted', 'spend_cap', null] as const).map(
    (halted) => judgeTrial(plan, kept, halted).stopped[0]?.reason,
  );
  const worst = [{ scenario: 'chat', call_usd: '0.00044604' }];
  expect(judgeTrial(plan, kept, 'spend_cap', worst).stopped[0]?.reason).toContain(
    'too small for its trial call, which can cost up to $0.00044604: raise --max-spend-usd',
  );
  const told = { error_code: 'spend_cap_by_kind', error_message: 'one chat call to m can cost up to $2' };
  const row = textRow('a', { outcome: 'not_sent', ...told });
  const refused = judged(call({ outcome: 'not_sent', row }), second);
  expect(judgeTrial(plan, refused, null).stopped[0]?.reason).toMatch(
    /^one chat call to m can cost up to \$2: /,
  );
  expect(reasons).toEqual([
    'the trial was stopped before its call: quota_exhausted',
    expect.stringMatching(/spend cap is too small/),
    expect.stringMatching(/spend cap is too small/),
  ]);
});

test('what the trial showed of the output limit stands in the plan and is told', () => {
  const bounds = [bound('m', 'chat'), bound('m', 'messages')];
  const capped = { ...plan, cap: { ...plan.cap, bounds } };
  const rows = ['chat', 'chat-2'].map((name) =>
    textRow(name, { scenario: name, model: 'm', max_tokens: 100, finish: 'length' }),
  );
  const verdict = judgeTrial(capped, judged(call({}), second), null);
  const next = afterTrial(capped, verdict, { rows, reservedUsd: null }, () => 'after');
  expect(next.cap.bounds.map(({ limit_obeyed }) => limit_obeyed)).toEqual([true, false]);
  expect(
    trialLines(capped, verdict, judgeLimits(capped, rows)).filter((_, index) => index % 2 === 1),
  ).toEqual([
    '  trial chat: the output limit binds (it cut the call at 100 tokens): each call reserves its own limit',
    '  trial chat-2: the output limit binds (it cut the call at 100 tokens): each call reserves its own limit',
  ]);
  expect(trialLines(capped, verdict, judgeLimits(capped, [])).at(-1)).toBe(
    '  trial chat-2: the output limit is not shown to bind (no call was made): each call reserves 4000 tokens',
  );
});
