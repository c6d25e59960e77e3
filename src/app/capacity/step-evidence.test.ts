import { expect, it } from 'vitest';
import type { Objective } from '../../contracts/plan.ts';
import { callRow, failedRow, planOf, scenarioPlan, stateLine } from '../../measure/ledger.test-support.ts';
import { measure } from '../../measure/measure.ts';
import { objectiveOf } from '../../workload/plan.test-support.ts';
import { judgeStep } from './find-capacity.ts';

/** A step with so many calls that answer in 500 ms, and so many that fail. */
function step(objective: Partial<Objective>, ok: number, failed = 0, dropped = 0) {
  const rows = [
    ...Array.from({ length: ok }, (_, n) => callRow(n)),
    ...Array.from({ length: failed }, (_, n) => failedRow(ok + n)),
  ];
  const counts = { planned: ok + failed + dropped, started: ok + failed, dropped, in_flight: 10 };
  const measured = measure({
    plan: planOf([scenarioPlan()], [objectiveOf({ max: 600, ...objective })]),
    rows,
    states: [stateLine(counts)],
    window: null,
    cores: 2,
    costs: null,
  });
  return judgeStep(measured, { halted: null, heldBefore: true });
}

const p = (percentile: number, max = 600) => ({ measure: 'e2e_ms', percentile, max }) as const;

it.each([
  ['one call', p(95), 1, 'too_few_calls'],
  ['one call short', p(95), 58, 'too_few_calls'],
  ['fifty-nine calls', p(95), 59, 'held'],
  ['twenty calls that are late', p(95, 400), 20, 'missed'],
  ['a few calls that are late', p(95, 400), 19, 'too_few_calls'],
  ['a p99 one call short', p(99), 298, 'too_few_calls'],
  ['a p99 with 299 calls', p(99), 299, 'held'],
  ['a p99 that is late, without its hundredth call', p(99, 400), 99, 'too_few_calls'],
  ['a p99 that is late, with it', p(99, 400), 100, 'missed'],
  ['a share of a few', { measure: 'error_share', max: 0 }, 19, 'too_few_calls'],
  ['a share of twenty', { measure: 'error_share', max: 0 }, 20, 'held'],
] as const)('judges a step of %s', (_, objective, ok, verdict) => {
  expect(step(objective, ok).verdict).toBe(verdict);
});

it('says of what there are too few, and how to get more', () => {
  expect(step(p(95), 1).reasons).toEqual([
    'chat: 1 call to judge e2e_ms p95 by, at least 59 are needed: lengthen --step or raise the rate',
  ]);
});

it('takes times that none of many calls has for missed, and those of a few that succeed for open', () => {
  expect(step(p(95), 0, 20).verdict).toBe('missed');
  expect(step(p(95), 2, 98).verdict).toBe('too_few_calls');
});

it('takes dropped starts for missed, however few', () => {
  expect(step(p(95), 9, 0, 1)).toMatchObject({ verdict: 'missed', only_dropped: true });
});
