import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ReadLeaf, ReadLine } from '../../contracts/usage-lines.ts';
import { formatInstant } from '../../core/time.ts';
import { inputOf, recordOf, START_MS, START_S, TOLD_TIMES, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';

/** A call without an id that told the tokens of its record, or twice as many. */
function callAt(second: number, tokens: 'same' | 'more' = 'same'): CallRow {
  const row = textRow(`at-${second}`, {
    request_id: null,
    request_ids: [],
    started_at: formatInstant(START_MS + second * 1000),
  });
  return tokens === 'same' || row.usage === null
    ? row
    : { ...row, usage: { ...row.usage, input: 2 * (row.usage?.input ?? 0) } };
}

/** Whether the one call without a record is claimed: the reads of [from, to) are not proved whole, all others are. */
function isClaimed(
  calls: readonly CallRow[],
  records: readonly number[],
  [from, to]: readonly [number, number],
): boolean {
  const input = inputOf({
    rows: calls,
    terms: TOLD_TIMES,
    sweeps: [
      {
        records: records.map((second) => recordOf(`r${second}`, { created_at: START_S + second })),
        at_ms: START_MS + 60 * 60_000,
      },
    ],
  });
  const leaves = [leaf(-60, from, '1'), leaf(from, to, '2'), leaf(to, 3000, '1')];
  const reads = input.reads.map(
    (read): ReadLine => (read.read === 'sweep_end' ? { ...read, judged_passes: [1], leaves } : read),
  );
  const { findings } = reconcile({ ...input, reads });
  const lost = findings.filter((finding) => finding.class === 'unrecorded_request');
  expect(lost).toHaveLength(1);
  return lost.every(({ provisional }) => !provisional);
}

function leaf(from: number, to: number, totals: string): ReadLeaf {
  return {
    start: START_S + from,
    end: START_S + to,
    model: null,
    figure: 'records',
    totals,
    records: '1',
    served: null,
    by_page_size: false,
    stable: true,
    reads: ['answer-1'],
  };
}

test('a call whose record another may have been given is not claimed where that one may have lost its own', () => {
  expect(isClaimed([callAt(0), callAt(3)], [1], [-5, 2])).toBe(false);
  expect(isClaimed([callAt(0), callAt(3)], [1], [1000, 1001])).toBe(true);
});

test('the doubt passes on from call to call', () => {
  // The record of 60 may be of the first call, then that of 150 of the second, and the third may have lost its own.
  const calls = [callAt(0), callAt(60), callAt(150)];
  expect(isClaimed(calls, [60, 150], [149, 152])).toBe(false);
  expect(isClaimed(calls, [60, 150], [200, 201])).toBe(true);
});

test('no doubt comes of a call whose record tells other tokens, or comes too late', () => {
  expect(isClaimed([callAt(0, 'more'), callAt(3)], [3], [2, 4])).toBe(true);
  expect(isClaimed([callAt(0), callAt(200)], [200], [199, 202])).toBe(true);
});
