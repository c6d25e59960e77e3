import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type KeptRunFacts, writeKeptRun } from './kept-run.test-support.ts';
import { keptRuns } from './kept-runs.ts';
import { prunePlan } from './prune-runs.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 0, 31);
const BAD = { exits: [{ code: 5, why: 'the bill does not hold' }] };

/** Runs of so many days ago. */
function runs(...all: readonly (Omit<KeptRunFacts, 'began_ms'> & { readonly days: number })[]) {
  const out = mkdtempSync(join(tmpdir(), 'prune-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  for (const { days, ...facts } of all) writeKeptRun(out, { began_ms: NOW - days * DAY_MS, ...facts });
  return keptRuns(out);
}

const daysOf = (gone: readonly { readonly began_ms: number }[]) =>
  gone.map(({ began_ms }) => (NOW - began_ms) / DAY_MS);

test('a run goes that is beyond the newest of its target and old enough, where both are asked', () => {
  const all = runs(
    { days: 1 },
    { days: 2, ...BAD },
    { days: 3, ...BAD },
    { days: 9, ...BAD },
    { days: 9, ...BAD, tail: '00ff', root: 'http://other.example' },
  );
  const gone = (keep: number | null, days: number | null) =>
    daysOf(
      prunePlan(all, { keep, older_than_ms: days === null ? null : days * DAY_MS, now_ms: NOW }, new Map())
        .gone,
    );
  expect(gone(2, null)).toEqual([3, 9]);
  expect(gone(null, 2)).toEqual([9, 9, 3].sort());
  expect(gone(2, 5)).toEqual([9]);
  expect(gone(9, 1)).toEqual([]);
  expect(gone(null, null)).toEqual([]);
});

test('the last good run of each plan stays, and what the state names', () => {
  const all = runs(
    { days: 1, ...BAD },
    { days: 5 },
    { days: 6 },
    { days: 7, plan_hash: 'other' },
    { days: 8, ...BAD },
    { days: 9, exits: null },
  );
  const claimed = new Map([[all[4]?.id ?? '', 'a claim rests on it']]);
  const plan = prunePlan(all, { keep: 0, older_than_ms: null, now_ms: NOW }, claimed);
  expect(daysOf(plan.gone)).toEqual([1, 6, 9]);
  expect(plan.needed.map(({ why }) => why)).toEqual([
    'it is the last good run of its plan',
    'it is the last good run of its plan',
    'a claim rests on it',
  ]);
});
