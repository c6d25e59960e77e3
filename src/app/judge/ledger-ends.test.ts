import { expect, test } from 'vitest';
import type { LedgerHeader } from '../../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { textRow } from '../../reconcile/rows.test-support.ts';
import { stateOf } from '../../workload/plan.test-support.ts';
import { ledgerEnds } from './ledger-ends.ts';

function header(instance: string, file = 0): LedgerHeader {
  return {
    schema: LEDGER_SCHEMA,
    run_id: 'run-1',
    instance,
    file,
    segment: null,
    seed: null,
    clock: { wall: '2026-11-20T10:00:00.000Z', mono_ms: 0 },
    plan_hash: null,
    key_fp: null,
    cores: 1,
    versions: { weighbridge: '0', k6: '0', go: '0' },
  };
}

function ledger(changes: Partial<LoadedLedger>): LoadedLedger {
  return {
    headers: [],
    intents: [],
    rows: [],
    states: [],
    problems: [],
    text_files: [],
    unknown_lines: 0,
    ...changes,
  };
}

test('each instance that stopped by itself tells why, in its last line alone', () => {
  const states = [
    stateOf({ instance: 'i0', halted: 'interrupted', final: false }),
    stateOf({ instance: 'i0', halted: 'spend_cap' }),
    stateOf({ instance: 'i1', halted: null }),
    stateOf({ instance: 'i2', halted: 'stop_rule_429' }),
  ];
  expect(ledgerEnds(ledger({ states })).halted).toEqual(['spend_cap', 'stop_rule_429']);
});

test('a file without its final line was left open, beside others of its instance that were closed', () => {
  const headers = [header('i0', 0), header('i0', 1), header('i1'), header('trial')];
  const states = [
    stateOf({ instance: 'i0' }),
    stateOf({ instance: 'i1', final: false }),
    stateOf({ instance: 'trial' }),
  ];
  expect(ledgerEnds(ledger({ headers, states })).unclosed).toEqual(['i0', 'i1']);
  expect(ledgerEnds(ledger({ headers: [header('trial')], states })).unclosed).toEqual([]);
});

test('calls that the cap of a part kept back are counted by part', () => {
  const kept = { outcome: 'not_sent' as const, error_code: 'spend_cap_by_scenario' };
  const rows = [
    textRow('1', kept),
    textRow('2', { ...kept, scenario: 'other' }),
    textRow('3', kept),
    textRow('4', { outcome: 'not_sent', error_code: 'spend_cap_by_model' }),
    textRow('5', { outcome: 'not_sent', error_code: 'spend_cap', error_message: 'one chat call' }),
    textRow('7', { outcome: 'not_sent', error_code: 'spend_cap_by_kind', error_message: 'the first' }),
    textRow('8', { outcome: 'not_sent', error_code: 'spend_cap_by_kind', error_message: 'the second' }),
    // A target may answer with whatever code it likes.
    textRow('6', { outcome: 'http_error', error_code: 'spend_cap_by_scenario' }),
  ];
  expect(ledgerEnds(ledger({ rows })).capped).toEqual([
    { scope: 'kind', name: 'chat calls of model text-1', calls: 2, why: 'the first' },
    { scope: 'model', name: 'model text-1', calls: 1, why: null },
    { scope: 'run', name: '', calls: 1, why: 'one chat call' },
    { scope: 'scenario', name: 'scenario chat', calls: 2, why: null },
    { scope: 'scenario', name: 'scenario other', calls: 1, why: null },
  ]);
});

test('what is missing between the files is told once, and a damaged line is no gap', () => {
  const at = { file: 'i0-0.ndjson', line: 1 };
  const problems = [
    { ...at, what: 'no file covers the part 1/2:1 of the run', gap: true },
    { ...at, line: 9, what: 'truncated last line: not JSON', gap: false },
    { ...at, what: 'no file covers the part 1/2:1 of the run', gap: true },
  ];
  expect(ledgerEnds(ledger({ problems })).gaps).toEqual(['no file covers the part 1/2:1 of the run']);
});
