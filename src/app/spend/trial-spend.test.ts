import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PriceBound, SpendCap } from '../../contracts/plan.ts';
import { textRow } from '../../reconcile/rows.test-support.ts';
import { capAfterTrial } from './trial-spend.ts';

const BOUND: PriceBound = {
  model: 'text-1',
  kind: 'chat',
  per_input_token: '2000000',
  per_output_token: '8000000',
  fixed: '0',
  max_output_tokens: 4000,
  limit_obeyed: false,
};

const CAP: SpendCap = {
  max_spend_usd: '2.5',
  by_scenario: { chat: '1', other: '1' },
  by_model: { 'text-1': '0.5' },
  bounds: [BOUND],
};

function left(changes: Partial<CallRow>): readonly (string | undefined)[] {
  const { by_scenario, by_model } = capAfterTrial(
    CAP,
    [textRow('t', { worst_case_usd: '0.04', ...changes })],
    '0',
  );
  return [by_scenario['chat'], by_scenario['other'], by_model['text-1']];
}

test('what k6 held at its end is taken from the cap of the run', () => {
  expect(capAfterTrial(CAP, [], '0.75').max_spend_usd).toBe('1.75');
  expect(capAfterTrial(CAP, [], '9').max_spend_usd).toBe('0');
  expect(capAfterTrial(CAP, [], null).max_spend_usd).toBe('2.5');
  expect(capAfterTrial({ ...CAP, max_spend_usd: null }, [], '0.75').max_spend_usd).toBeNull();
});

test('a finished call takes the price of its usage from the caps of its parts', () => {
  expect(left({})).toEqual(['0.9972', '1', '0.4972']);
  expect(left({ worst_case_usd: '0.001' })).toEqual(['0.999', '1', '0.499']);
});

test('so does one whose result could not be downloaded: it was made', () => {
  expect(left({ outcome: 'bad_response', error_type: 'download_failed' })).toEqual(['0.9972', '1', '0.4972']);
});

test.for([
  ['an answer without usage', { usage: null }],
  ['a cut stream', { outcome: 'truncated' as const }],
  ['a server error', { outcome: 'http_error' as const, status: 502, usage: null }],
  ['a conflict', { outcome: 'http_error' as const, status: 409, usage: null }],
] as const)('%s takes its whole worst case', ([, changes]) => {
  expect(left(changes)).toEqual(['0.96', '1', '0.46']);
});

test.for([
  ['a refused call', { outcome: 'http_error' as const, status: 429, usage: null }],
  ['a call that was not sent', { outcome: 'not_sent' as const, status: null, usage: null }],
] as const)('%s takes nothing', ([, changes]) => {
  expect(left(changes)).toEqual(['1', '1', '0.5']);
});
