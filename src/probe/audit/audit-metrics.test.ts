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

test('what the cache owed own calls is shown, and goes where nothing tells of it', async () => {
  const metrics = freshMetrics();
  const shown = new AuditMetrics(targetOf({ probes: [CHAT] }), metrics);
  const writes = { calls: 0, tokens: 0, amount: '0' };
  const cache = {
    ...{ calls: 9, untold: 0, hits: 5, missed: { lo: 2, hi: 3 }, lost_tokens: { lo: 2048, hi: 4096 } },
    ...{ lost: { lo: '0.0025', hi: '0.004' }, saved: '0.0125', rewritten: writes, invented: writes },
    ...{ by_model: [], by_hour: [] },
  };
  shown.showCache(cache);
  expect(await samples(metrics, 'weighbridge_cache_hits')).toEqual([
    '{state="came"} 5',
    '{state="missed"} 2',
  ]);
  expect(await samples(metrics, 'weighbridge_cache_lost_usd')).toEqual([
    '{kind="least"} 0.0025',
    '{kind="most"} 0.004',
  ]);
  expect(await samples(metrics, 'weighbridge_cache_saved_usd')).toEqual(['0.0125']);
  shown.showCache(null);
  expect(await samples(metrics, 'weighbridge_cache_lost_usd')).toEqual([]);
  shown.close();
});
