import { expect, it } from 'vitest';
import { callRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';
import { stageFigures } from './stream-figures.ts';

function job(index: number, queue_ms: number | null, run_ms: number | null) {
  return callRow(index * 1000, {
    call_id: `job${index}`,
    logical_id: `job${index}`,
    kind: 'video',
    end_ms: 1000,
    job: { id: `v${index}`, statuses: ['queued', 'completed'], queue_ms, run_ms, polls: 3 + index },
  });
}

it('divides the time of jobs: what is neither queue nor run is handing in and fetching', () => {
  const stages = stageFigures(logicalCalls([job(0, 200, 600), job(1, 100, 500)]));
  expect(stages).toMatchObject({
    count: 2,
    queue: { count: 2, mean: 150 },
    run: { count: 2, mean: 550 },
    rest: { count: 2, min: 200, max: 400 },
    polls: 3.5,
  });
});

it('has no stage that no job showed, and says nothing of calls that were no jobs', () => {
  expect(stageFigures(logicalCalls([job(0, null, null)]))).toMatchObject({
    count: 1,
    queue: null,
    run: null,
    rest: null,
  });
  expect(stageFigures(logicalCalls([callRow(0)]))).toBeNull();
});
