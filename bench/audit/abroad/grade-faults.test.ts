import { describe, expect, test } from 'vitest';
import type { JournalCall, JournalFault } from '../../../src/contracts/journal.ts';
import type { CallRow } from '../../../src/contracts/ledger-lines.ts';
import { OWN_READINGS, type Readings } from '../../../src/gateway/readings/readings.ts';
import {
  cutRow,
  errorRow,
  judge,
  recordOf,
  TEXT_MODEL,
  textRow,
} from '../../../src/reconcile/reconcile.test-support.ts';
import { gradedFaults } from './grade-faults.ts';

const NO_ID = { request_id: null, request_ids: [] };

function fired(fault: string, parameters: JournalFault['parameters'], delta: string): JournalFault {
  return {
    schema: 'weighbridge.journal/1',
    type: 'fault',
    fault,
    request_id: 'req-a',
    ordinal: 1,
    parameters,
    delta,
  };
}

function ended(model: string): JournalCall {
  return {
    schema: 'weighbridge.journal/1',
    type: 'call',
    request_id: 'req-a',
    marker: null,
    key_fp: null,
    endpoint: '/v1/chat/completions',
    received_at: '2026-11-20T12:00:00.000Z',
    first_token_ms: 1,
    end_ms: 2,
    events: 1,
    amount: '0.0028',
    lateness_ms: 0,
    model,
  };
}

/** What is asked of an auditor that finds nothing. */
function askedOf(fault: JournalFault, chosen: Partial<Readings>, rows: readonly CallRow[]): string {
  const readings = { ...OWN_READINGS, ...chosen };
  const plan = { name: 'w', seed: 1, mix: 'own', readings, phases: [], honest: null, late: false };
  const world = { plan, fired: [fault], ended: [ended(TEXT_MODEL)] };
  const record = recordOf('a', { model: 'text-2' });
  const { calls } = judge({ rows, books: [], sweeps: [{ records: [record] }] });
  return gradedFaults(world, { manner: 'run', untold: [] }, new Map(), { calls })
    .map(({ what }) => what)
    .join();
}

const NAMELESS = { request_id: 'nowhere' } as const;
const missing = fired('bill.missing_record', {}, '-0.0028');

describe('what is asked hangs on the call that a fault hit', () => {
  test('beside a cut call of its model a lost record is that of either', () => {
    expect(askedOf(missing, NAMELESS, [textRow('b', NO_ID)])).toBe('missed');
    expect(askedOf(missing, NAMELESS, [cutRow('b', NO_ID)])).toBe('beyond');
    expect(askedOf(missing, NAMELESS, [cutRow('b', { ...NO_ID, model: 'text-2' })])).toBe('missed');
  });

  test('a call that failed need leave no record', () => {
    expect(askedOf(missing, {}, [textRow('a')])).toBe('missed');
    expect(askedOf(missing, {}, [errorRow('a', 500)])).toBe('beyond');
  });

  test('an answer that told no usage proves no other count', () => {
    const wrong = fired('bill.token_mismatch', { variant: 'input' }, '0.0001');
    expect(askedOf(wrong, {}, [textRow('a')])).toBe('missed');
    expect(askedOf(wrong, {}, [textRow('a', { usage: null })])).toBe('beyond');
  });

  test('a count that is called an estimate proves nothing where no price tells what it charges', () => {
    const high = fired('bill.estimated_high', { variant: 'completed' }, '0.0001');
    const apart = { output_tokens: 'without_reasoning' } as const;
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 0, raw: {} };
    expect(askedOf(high, apart, [textRow('a', { usage })])).toBe('missed');
    expect(askedOf(high, apart, [textRow('a', { usage: { ...usage, reasoning: null } })])).toBe('beyond');
    expect(askedOf(high, { missing: 'pricebook' }, [textRow('a', { usage })])).toBe('beyond');
  });

  test('without a price list more output proves nothing of an answer that does not tell its reasoning', () => {
    const more = fired('bill.token_mismatch', { variant: 'output' }, '0.0001');
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 0, raw: null };
    const unpriced = { missing: 'pricebook' } as const;
    expect(askedOf(more, unpriced, [textRow('a', { usage })])).toBe('missed');
    expect(askedOf(more, unpriced, [textRow('a', { usage: { ...usage, reasoning: null } })])).toBe('beyond');
  });

  test('reasoning is counted twice only where a total tells what the answer holds', () => {
    const twice = fired('bill.reasoning_double_count', { variant: 'counted_twice' }, '0.0001');
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 40 };
    const told = textRow('a', { usage: { ...usage, raw: { total_tokens: 1100 } } });
    expect(askedOf(twice, {}, [told])).toBe('missed');
    expect(askedOf(twice, {}, [textRow('a', { usage: { ...usage, raw: null } })])).toBe('beyond');
  });

  test('the name of a model is that of another where a list, or a call, has it', () => {
    const named = fired('bill.wrong_model', { variant: 'name' }, '0');
    const unlisted = { missing: 'pricebook' } as const;
    expect(askedOf(named, {}, [textRow('a')])).toBe('missed');
    expect(askedOf(named, unlisted, [textRow('a')])).toBe('beyond');
    expect(askedOf(named, unlisted, [textRow('a'), textRow('b', { model: 'text-2' })])).toBe('missed');
  });
});
