import { describe, expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ReadLeaf, ReadLine } from '../../contracts/usage-lines.ts';
import {
  brief,
  inputOf,
  judge,
  only,
  recordOf,
  START_MS,
  START_S,
  type SweepSpec,
  TOLD_TIMES,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { type CompletenessProof, isProved } from './completeness-proof.ts';

const MINUTE_MS = 60_000;
const LATE_MS = START_MS + 16 * MINUTE_MS;

function leaf(changes: Partial<ReadLeaf> = {}): ReadLeaf {
  return {
    start: START_S - 60,
    end: START_S + 3600,
    model: null,
    figure: 'records',
    totals: '1',
    records: '1',
    served: null,
    by_page_size: false,
    stable: true,
    reads: ['answer-1'],
    ...changes,
  };
}

/** Two calls, of which the sweep shows one record; its end says what the leaves came to. */
function missingUnder(
  leaves: readonly ReadLeaf[],
  sweeps?: readonly SweepSpec[],
  changes: Partial<CallRow> = {},
): Reconciliation {
  const input = inputOf({
    rows: [textRow('a', changes), textRow('b')],
    sweeps: sweeps ?? [{ records: [recordOf('b')], at_ms: LATE_MS }],
    terms: TOLD_TIMES,
  });
  const last = Math.max(...input.reads.map(({ sweep }) => sweep));
  const reads = input.reads.map(
    (read): ReadLine =>
      read.read === 'sweep_end' && read.sweep === last ? { ...read, judged_passes: [1], leaves } : read,
  );
  return reconcile({ ...input, reads });
}

describe('a loss', () => {
  test('is claimed where the leaf of its second is proved', () => {
    const result = missingUnder([leaf()]);
    expect(brief(result)).toEqual(['unrecorded_request no_record -0.0028']);
    expect(result.completeness).toMatchObject({ proved: true, leaves: [{ totals: '1', records: '1' }] });
  });

  test('is not claimed of a call that ended in a second whose leaf is not proved', () => {
    const leaves = [leaf({ end: START_S + 2 }), leaf({ start: START_S + 2, totals: '2' })];
    const provisional = (end_ms: number): boolean | undefined =>
      only(missingUnder(leaves, undefined, { end_ms })).provisional;
    expect([provisional(500), provisional(2500)]).toEqual([false, true]);
  });

  test.each<[string, readonly ReadLeaf[]]>([
    ['two walks differ', [leaf({ stable: false })]],
    ['the totals count more', [leaf({ totals: '2' })]],
    ['the totals could not be read', [leaf({ totals: null })]],
    ['a page of the leaf alone shows more', [leaf({ served: '2' })]],
    ['no leaf holds its second', [leaf({ start: START_S + 1 })]],
    ['only a sum was compared', [leaf({ figure: 'settled' })]],
    ['nothing was compared', []],
  ])('is not claimed where %s', (_, leaves) => {
    const result = missingUnder(leaves);
    expect(only(result)).toMatchObject({ class: 'unrecorded_request', provisional: true });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toContain(
      '1 call has no record, and it is not proved that the records of that time were read whole',
    );
    expect(result.calls.find(({ call_id }) => call_id === 'call-a')?.verdict).toBe('provisional');
  });

  test('of a record that was served before is claimed under the same condition', () => {
    const sweeps = [
      { records: [recordOf('a'), recordOf('b')] },
      { records: [recordOf('b')], at_ms: LATE_MS },
    ];
    expect(
      brief(missingUnder([leaf()], sweeps)).some((line) => line.startsWith('state_regression vanished')),
    ).toBe(true);
    const unproved = missingUnder([leaf({ totals: '2' })], sweeps);
    expect(brief(unproved).filter((line) => line.includes('vanished'))).toEqual([]);
    expect(unproved.gated).toBe(false);
  });

  test('in a folder of an older version rests on a whole sweep whose totals count the same', () => {
    const rows = [textRow('a'), textRow('b')];
    const at = (totals: unknown) =>
      judge({ rows, sweeps: [{ records: [recordOf('b')], at_ms: LATE_MS, totals }] }).completeness.proved;
    expect([at(undefined), at({ records: 1 }), at({ records: 2 })]).toEqual([true, true, false]);
  });
});

test('a second that was not over when the walk began is not proved', () => {
  const proof: CompletenessProof = { proved: true, leaves: [leaf()], hazards: [], until: START_S + 10 };
  expect([START_S, START_S + 10, START_S + 11].map((second) => isProved(proof, second))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isProved({ ...proof, until: null }, START_S)).toBe(false);
});

test('an amount on a page in another currency counts nowhere as USD', () => {
  const input = inputOf({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')], at_ms: LATE_MS }] });
  const result = reconcile({
    ...input,
    reads: input.reads.map((read) => (read.read === 'records' ? { ...read, currency: 'EUR' } : read)),
    records: input.records.map((line) => ({ ...line, currency: 'EUR' })),
  });
  expect(result.findings.find(({ rule }) => rule === 'page_currency')).toMatchObject({
    class: 'currency_or_unit_error',
    severity: 'S1',
  });
  expect(result.findings.filter((one) => one.class === 'precision_loss')).toEqual([]);
  expect(result.money.charged).toBeNull();
});
