import { expect, test } from 'vitest';
import type { Finding } from '../../src/contracts/finding.ts';
import type { JournalFault } from '../../src/contracts/journal.ts';
import { makeFinding } from '../../src/reconcile/judge/make-finding.ts';
import { gradeWorld } from './grade-world.ts';
import { type MixName, readingsOf } from './reading-mixes.ts';

function fired(fault: string, parameters: JournalFault['parameters'], delta: string): JournalFault {
  return {
    schema: 'weighbridge.journal/1',
    type: 'fault',
    fault,
    request_id: 'r1',
    ordinal: 1,
    parameters,
    delta,
  };
}

function found(
  name: Finding['class'],
  delta: Parameters<typeof makeFinding>[0]['delta'],
  id = 'r1',
): Finding {
  return makeFinding({
    class: name,
    rule: 'x',
    confidence: 'proved',
    warrant: { kind: 'document', of: 'the price book' },
    delta,
    evidence: [`request:${id}`],
    request_id: id,
    explanation: '',
    next_step: '',
  });
}

function whatOf(faults: readonly JournalFault[], findings: readonly Finding[], mix: MixName = 'own') {
  const plan = { name: 'w', seed: 1, mix, readings: readingsOf(mix), phases: [], honest: 1, late: false };
  return gradeWorld({ plan, fired: faults, findings }).map(({ what, class: name }) => `${what} ${name}`);
}

const MICRO = 1_000_000n;
const charge = fired('bill.double_charge', { variant: 'second_record' }, '0.000001');
const cut = fired('bill.charge_on_abort', { variant: 'above_possible' }, '0.000001');

test('found is what has the class, the request and, to the digit, the delta', () => {
  expect(whatOf([charge], [found('duplicate_charge', MICRO)])).toEqual(['found duplicate_charge']);
  expect(whatOf([charge], [found('duplicate_charge', MICRO + 1n)])).toEqual(['missed duplicate_charge']);
  expect(whatOf([charge], [])).toEqual(['missed duplicate_charge']);
  expect(whatOf([charge], [found('phantom_record', MICRO)])).toEqual([
    'missed duplicate_charge',
    'false phantom_record',
  ]);
});

test('of what is bounded, the delta lies between the bounds', () => {
  const bounded = (min: bigint, max: bigint): Finding => found('disconnect_overcharge', { min, max });
  expect(whatOf([cut], [bounded(1n, MICRO)])).toEqual(['found disconnect_overcharge']);
  expect(whatOf([cut], [bounded(1n, MICRO - 1n)])).toEqual(['missed disconnect_overcharge']);
});

test('what nobody planted is false, on an untouched request and without one', () => {
  expect(whatOf([], [found('duplicate_charge', MICRO, 'r9')])).toEqual(['false duplicate_charge']);
  const ofNone = { ...found('totals_disagree_records', null), request_id: null };
  expect(whatOf([], [ofNone])).toEqual(['false totals_disagree_records']);
});

test('nothing is asked where the corpus or the readings leave it open', () => {
  const whole = fired('bill.charge_server_error', { variant: 'whole', status: '500' }, '0.1');
  expect(whatOf([whole], [])).toEqual(['beyond charged_on_server_error']);
  const absent = fired('bill.request_id_reuse', {}, '-0.000001');
  expect(whatOf([absent], [], 'no-ids')).toEqual(['beyond unrecorded_request']);
  expect(whatOf([absent], [])).toEqual(['missed unrecorded_request']);
});
