import { expect, test } from 'vitest';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import { inputOf, recordOf } from '../reconcile.test-support.ts';
import { judgedSweep } from './judged-sweep.ts';
import type { ReconcileInput } from './reconcile-input.ts';

const ids = (input: ReconcileInput): readonly string[] =>
  judgedSweep(input).records.map(({ request_id }) => request_id);

function ended(input: ReconcileInput, changes: (sweep: number) => Partial<ReadLine>): ReconcileInput {
  const reads = input.reads.map((read) =>
    read.read === 'sweep_end' ? { ...read, ...changes(read.sweep) } : read,
  );
  return { ...input, reads };
}

test('only the walks that the end of a sweep names count', () => {
  const input = inputOf({ sweeps: [{ records: [recordOf('a'), recordOf('b'), recordOf('b')] }] });
  const records = input.records.map((line, index) => ({ ...line, pass: index === 2 ? 2 : 1 }));
  expect(ids(ended({ ...input, records }, () => ({ judged_passes: [2] })))).toEqual(['req-b']);
  expect(ids(ended({ ...input, records }, () => ({ judged_passes: [1] })))).toEqual(['req-a', 'req-b']);
  // Without an end, the last walk that was begun.
  const torn = { ...input, records, reads: input.reads.filter(({ read }) => read !== 'sweep_end') };
  expect(ids(torn)).toEqual(['req-b']);
});

test('of several keys the last complete sweep of each is judged, and none without one', () => {
  const input = inputOf({
    sweeps: [{ records: [recordOf('old')] }, { records: [recordOf('a')] }, { records: [recordOf('b')] }],
  });
  const keyed = ended(input, (sweep) => ({ key_fp: sweep === 3 ? 'key-b' : 'key-a' }));
  expect(ids(keyed)).toEqual(['req-a', 'req-b']);
  expect(judgedSweep(keyed)).toMatchObject({ complete: 3, proof: { proved: true } });
  const half = ended(input, (sweep) => ({ key_fp: sweep === 3 ? 'key-b' : 'key-a', complete: sweep !== 3 }));
  expect(judgedSweep(half)).toMatchObject({ complete: null, proof: { proved: false } });
});
