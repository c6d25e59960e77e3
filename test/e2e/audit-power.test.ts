import { describe, expect, test } from 'vitest';
import { runCallWorld } from '../../bench/audit/call-world.ts';
import { type Group, planOf } from '../../bench/audit/call-worlds.ts';
import { type Graded, gradeWorld } from '../../bench/audit/grade-world.ts';
import { runReadWorld } from '../../bench/audit/read-world.ts';
import type { MixName } from '../../bench/audit/reading-mixes.ts';
import { honestRun } from '../../bench/audit/run-worlds.ts';

/** A part of `npm run bench:audit` that has to come out whole. */
const SEED = 3;

/** Each on its own calls: none changes what another one shows. */
const OF_CALLS: Readonly<Record<Exclude<Group, 'versions'>, readonly string[]>> = {
  records: [
    'bill.double_charge',
    'bill.phantom_record',
    'bill.missing_record',
    'bill.charge_rejected',
    'bill.pending_forever',
    'bill.token_mismatch',
    'bill.charge_on_abort',
    'bill.double_refund',
    'bill.negative',
    'bill.estimated_unflagged',
  ],
  prices: [
    'bill.multiplier_hidden',
    'bill.unit_error',
    'bill.tier_not_applied',
    'bill.reasoning_double_count',
    'bill.amount_rounding',
    'bill.wrong_rate',
    'bill.video_units',
  ],
};
const OF_READS = ['bill.cursor_skip', 'bill.window_edge', 'bill.totals_drift', 'bill.filter_mismatch'];

function wrongOf(graded: readonly Graded[]): readonly string[] {
  return graded
    .filter(({ what }) => what === 'missed' || what === 'false')
    .map(({ what, class: name, fault, told }) => `${what}: ${name} of ${fault}: ${told}`);
}

function classesFound(graded: readonly Graded[]): number {
  return new Set(graded.filter(({ what }) => what === 'found').map((one) => one.class)).size;
}

describe.each<[MixName]>([['gross-settlement'], ['per-token-12']])('a gateway that reads %s', (mix) => {
  test.each<[Exclude<Group, 'versions'>, number]>([
    ['records', 9],
    ['prices', 9],
  ])('%s: all that is planted and decidable is found, and nothing else', async (group, classes) => {
    const wanted = (faults: string): boolean => OF_CALLS[group].some((fault) => faults.includes(fault));
    const world = await runCallWorld(planOf(group, { seed: SEED, mix, instances: 2, wanted }));
    const graded = gradeWorld(world);
    expect(wrongOf(graded)).toEqual([]);
    expect(classesFound(graded)).toBeGreaterThanOrEqual(classes);
  });

  test('reads: each fault of pages, windows, totals and filters is found, and nothing else', async () => {
    const wanted = (fault: string): boolean => OF_READS.includes(fault);
    const graded = await runReadWorld({ seed: SEED, mix, instances: 1, wanted });
    expect(wrongOf(graded)).toEqual([]);
    expect(classesFound(graded)).toBe(6);
  });
});

test.each<[number, MixName]>([
  [1, 'offset-other-values'],
  [2, 'no-ids'],
])('honest traffic, cut, refused, late and out of order, has no finding: run %d, %s', async (seed, mix) => {
  const { findings, calls } = await honestRun(seed, mix);
  expect(findings).toEqual([]);
  expect(calls).toBeGreaterThan(100);
});
