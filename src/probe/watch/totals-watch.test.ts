import { expect, test } from 'vitest';
import { TotalsWatch } from './account-watch.ts';
import { freshMetrics, samples } from './watch-bench.test-support.ts';

const TOTALS = {
  currency: 'USD',
  settled_amount: '1.10',
  pending_amount: '0.2',
  refunded_amount: '0',
  records: 7,
  unknown_records: 1,
};

test('each figure of a window is a gauge; one that cannot be read is no 0, and its old value goes', async () => {
  const metrics = freshMetrics();
  const watch = new TotalsWatch({ name: 'main' }, metrics);
  watch.read('1h', TOTALS);
  expect(await samples(metrics, 'weighbridge_usage_')).toEqual([
    'settled_usd{window="1h"} 1.1',
    'pending_usd{window="1h"} 0.2',
    'refunded_usd{window="1h"} 0',
    'records{window="1h"} 7',
    'unknown_records{window="1h"} 1',
  ]);
  const { pending_amount: _, ...without } = TOTALS;
  watch.read('1h', { ...without, settled_amount: 1.1, records: '7' });
  expect(await samples(metrics, 'weighbridge_usage_')).toEqual([
    'refunded_usd{window="1h"} 0',
    'unknown_records{window="1h"} 1',
  ]);
  watch.read('1h', { ...TOTALS, currency: 'EUR' });
  expect(await samples(metrics, 'weighbridge_usage_settled_usd')).toEqual([]);
});

test('the UTC day is split into watched models and all others, which add up exactly', async () => {
  const metrics = freshMetrics();
  const watch = new TotalsWatch({ name: 'main' }, metrics);
  const model = (name: string, settled_amount: string) => ({ model: name, settled_amount });
  const by_model = [model('a', '0.1'), model('x', '0.1'), model('y', '0.2')];
  watch.ofDay({ currency: 'USD', by_model }, ['a', 'b']);
  const day = () => samples(metrics, 'weighbridge_usage_model_settled_usd');
  // In doubles 0.1 + 0.2 is not 0.3.
  expect(await day()).toEqual(['{model="other"} 0.3', '{model="a"} 0.1', '{model="b"} 0']);
  watch.ofDay({ currency: 'USD', by_model: [model('a', '0.1'), model('y', 'much')] }, ['a', 'b']);
  expect(await day()).toEqual(['{model="a"} 0.1', '{model="b"} 0']);
  watch.ofDay(null, ['a']);
  expect(await day()).toEqual([]);
});
