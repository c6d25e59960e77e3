import { describe, expect, test } from 'vitest';
import type { CallRow, Intent } from '../../contracts/ledger-lines.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatInstant } from '../../core/time.ts';
import type { KnownTraffic } from '../input/reconcile-input.ts';
import {
  brief,
  cutRow,
  type InputSpec,
  inputOf,
  intentOf,
  judge,
  recordOf,
  START_MS,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';
import { paidCalls } from '../records/paid-call.ts';

interface OtherCalls {
  readonly rows?: readonly CallRow[];
  readonly intents?: readonly Intent[];
}

function knowing(
  spec: InputSpec,
  { rows = [], intents = [] }: OtherCalls,
  times: KnownTraffic['times'] = [],
) {
  const calls = [{ of: 'run B', calls: paidCalls({ rows, intents, states: [] }) }];
  return reconcile({ ...inputOf(spec), known: { calls, times } });
}

const NO_ID = { request_id: null, request_ids: [], response_id: null };
const LATER = { started_at: formatInstant(START_MS + 20_000) };
const LATER_S = START_S + 20;

function matchOf(result: Reconciliation, id: string) {
  return result.calls.find(({ record_ids: [first] }) => first === id)?.match;
}

describe('records of calls that another run made', () => {
  const spec: InputSpec = {
    rows: [textRow('a')],
    sweeps: [{ records: [recordOf('a'), recordOf('x', { amount: '0.5' }), recordOf('y')] }],
  };

  test('are known by their id, whatever they charge, and told with their sum', () => {
    expect(brief(judge(spec))).toHaveLength(2);
    const result = knowing(spec, { rows: [textRow('x'), textRow('y')] });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({
      charged: '0.0028',
      records: 1,
      foreign: { records: 0, amount: '0' },
      known: [{ of: 'run B', records: 2, amount: '0.5028' }],
    });
    expect(result.calls.find(({ match }) => match === 'known')).toMatchObject({
      verdict: 'not_checkable',
      why: 'a call of run B explains it',
    });
    expect(result.matching.find(({ pass }) => pass === 'known')?.pairs).toBe(2);
  });

  test('a record that no call of it has is a phantom still', () => {
    const result = knowing(spec, { rows: [textRow('y')] });
    expect(brief(result)).toEqual(['phantom_record record_without_call 0.5']);
    expect(result.money.known).toEqual([{ of: 'run B', records: 1, amount: '0.0028' }]);
  });

  test('are known by an id in a header that no page names', () => {
    const other_ids = { 'header:x-log': recordOf('x').request_id, 'header:cf-ray': 'ray-000001' };
    const result = knowing(spec, {
      rows: [textRow('w', { ...NO_ID, model: 'other', other_ids }), textRow('y')],
    });
    expect(matchOf(result, 'rec-x')).toBe('known');
  });

  test('an id of the ledger is its own, whoever names it besides', () => {
    const result = knowing(spec, { rows: [textRow('a'), textRow('x'), textRow('y')] });
    expect([matchOf(result, 'rec-a'), result.money.records]).toEqual(['request_id', 1]);
  });

  test('are not given to a call of the ledger whose answer told no id', () => {
    const half = { output_tokens: 50, amount: '0.0024', refunded_amount: '0.0076' };
    const cut: InputSpec = {
      rows: [textRow('a'), cutRow('b', NO_ID)],
      sweeps: [{ records: [recordOf('a'), recordOf('x', half)] }],
    };
    expect(matchOf(judge(cut), 'rec-x')).toBe('open_intent');
    expect(matchOf(knowing(cut, { rows: [textRow('x')] }), 'rec-x')).toBe('known');
  });

  test('are known by their tokens and time where answers tell no id', () => {
    const result = knowing(
      {
        rows: [textRow('a', NO_ID)],
        sweeps: [{ records: [recordOf('a'), recordOf('x', { created_at: LATER_S })] }],
      },
      { rows: [textRow('x', { ...NO_ID, ...LATER })] },
    );
    expect(brief(result)).toEqual([]);
    expect([matchOf(result, 'rec-a'), matchOf(result, 'rec-x')]).toEqual(['fingerprint', 'known']);
  });

  test('of a call that was killed one request is explained, not two', () => {
    const two = [recordOf('x', { input_tokens: 7, amount: '0.1' }), recordOf('y', { input_tokens: 8 })];
    const killed: InputSpec = { rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), ...two] }] };
    const result = knowing(killed, { intents: [intentOf('x')] });
    expect(brief(result)).toHaveLength(1);
    expect(result.money.known).toMatchObject([{ records: 1 }]);
  });

  test('do not turn a cut call of the ledger into one charged twice', () => {
    const cut: InputSpec = {
      rows: [textRow('a'), cutRow('b', NO_ID)],
      sweeps: [
        { records: ['a', 'x', 'y'].map((name) => recordOf(name, { input_tokens: 900, amount: '0.0026' })) },
      ],
    };
    const of = (result: Reconciliation) => brief(result).filter((text) => text.startsWith('phantom_record'));
    expect(of(judge(cut))).toHaveLength(1);
    expect(of(knowing(cut, { rows: [cutRow('x', NO_ID)] }))).toEqual([]);
  });

  test('may change and go, which is told of their own run', () => {
    const changed: InputSpec = {
      rows: [textRow('a')],
      sweeps: [
        { records: [recordOf('a'), recordOf('x'), recordOf('y')] },
        { records: [recordOf('a'), recordOf('x', { amount: '0.5' })] },
      ],
    };
    expect(brief(judge(changed)).join()).toContain('state_regression');
    expect(brief(knowing(changed, { rows: [textRow('x'), textRow('y')] }))).toEqual([]);
  });
});

describe('the time of a record without a call', () => {
  const spec = (created_at: number): InputSpec => ({
    rows: [textRow('a')],
    sweeps: [{ records: [recordOf('a'), recordOf('x', { created_at })], at_ms: START_MS + 60_000 }],
  });

  /** As the archive of the target holds it: served by another command, at another time. */
  function archived(created_at: number, read_ms: number) {
    const input = inputOf({
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a')], at_ms: START_MS + 60_000 }],
    });
    const [own] = input.records;
    if (own === undefined) throw new Error('expected a record');
    const record = recordOf('x', { created_at });
    const line = { ...own, by_request_id: true, read_at: formatInstant(read_ms), record };
    return reconcile({ ...input, records: [own, line] });
  }

  test('outside that of the run it is no phantom: before its first call, behind its last read', () => {
    for (const { findings, money } of [judge(spec(START_S - 1)), archived(START_S + 61, START_MS + 62_000)]) {
      expect(findings).toEqual([]);
      expect(money.foreign).toEqual({ records: 1, amount: '0.0028' });
    }
    // The clock of the target is ahead, or its record came late.
    for (const result of [
      judge(spec(START_S)),
      judge(spec(START_S + 61)),
      archived(START_S + 60, START_MS + 62_000),
    ])
      expect(brief(result)).toHaveLength(1);
  });

  test('in that of a run whose folder is gone it is foreign', () => {
    const times = [{ of: 'run B', from_ms: START_MS + 30_000, to_ms: START_MS + 40_000 }];
    for (const second of [START_S + 30, START_S + 40]) {
      const result = knowing(spec(second), {}, times);
      expect(brief(result)).toEqual([]);
      expect(result.money.foreign.records).toBe(1);
      expect(result.calls.find(({ match }) => match === 'foreign')?.why).toContain('the time of run B');
    }
    for (const second of [START_S + 29, START_S + 41])
      expect(brief(knowing(spec(second), {}, times))).toHaveLength(1);
  });
});

test('a bill without a ledger is all records of its keys, whoever called', () => {
  const spec: InputSpec = { basis: 'records', sweeps: [{ records: [recordOf('x')] }] };
  const result = knowing(spec, { rows: [textRow('x')] });
  expect(result.money).toMatchObject({ records: 1, charged: '0.0028' });
  expect(result.money.known).toBeUndefined();
});
