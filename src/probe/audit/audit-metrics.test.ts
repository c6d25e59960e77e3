import { expect, test } from 'vitest';
import { freshMetrics, probeOf, samples, targetOf } from '../watch/watch-bench.test-support.ts';
import { AuditMetrics } from './audit-metrics.ts';

const ENDED = 1_000_000;
const CHAT = probeOf({ name: 'chat', model: 'aspen-mini' });

test('a settled record is timed by the first read that showed it', async () => {
  const metrics = freshMetrics();
  const shown = new AuditMetrics(targetOf({ probes: [CHAT] }), metrics);
  const lag = () => samples(metrics, 'weighbridge_usage_settlement_lag_seconds_sum');
  const settled = { scenario: 'chat', request_ids: ['r-a'], ended_ms: ENDED, usd: null };
  const tally = { verdicts: [], mismatches: [], settled: [settled], classes: new Map(), open: 0 };
  shown.show(tally, 0, ENDED + 9000, (id) => (id === 'r-a' ? ENDED + 4000 : null));
  expect(await lag()).toEqual(['4']);
  // Where no read had shown it, by this one.
  shown.show(tally, 0, ENDED + 9000, () => null);
  expect(await lag()).toEqual(['13']);
  // A stream may be settled before its last byte is here.
  shown.show(tally, 0, ENDED + 9000, () => ENDED - 5);
  expect(await lag()).toEqual(['13']);
  shown.close();
});
