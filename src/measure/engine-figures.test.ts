import { expect, test } from 'vitest';
import type { LedgerHeader, StateLine } from '../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../contracts/schema-names.ts';
import { formatInstant } from '../core/time.ts';
import { callRow, planOf, scenarioPlan, stateLine, ZERO } from './ledger.test-support.ts';
import { measure } from './measure.ts';

function header(instance: string, changes: Partial<LedgerHeader> = {}): LedgerHeader {
  return {
    schema: LEDGER_SCHEMA,
    run_id: 'run-1',
    instance,
    file: 0,
    segment: null,
    seed: 1,
    clock: { wall: formatInstant(ZERO), mono_ms: 0 },
    plan_hash: 'abc123',
    key_fp: null,
    cores: 4,
    versions: { weighbridge: '0', k6: '2.2.0', go: '1.26' },
    ...changes,
  };
}

function state(instance: string, beganMs: number | null, changes: Partial<StateLine> = {}): StateLine {
  const began_at = beganMs === null ? null : formatInstant(ZERO + beganMs);
  return stateLine({ planned: 5, started: 5 }, { instance, began_at, ...changes });
}

function measured(states: readonly StateLine[], headers: readonly LedgerHeader[]) {
  const rows = headers.map(({ instance }, index) =>
    callRow(index * 100, { instance, schedule_lag_ms: index }),
  );
  return measure({
    plan: planOf([scenarioPlan()]),
    rows,
    states,
    headers,
    window: null,
    cores: 2,
    costs: null,
  });
}

const TWO = [header('left', { segment: '0:1/2', cores: 1 }), header('right', { segment: '1/2:1' })];

test('each engine stands with its part, its beginning and how it fared; the trial is none of them', () => {
  const states = [state('left', 210), state('right', 0, { cpu: 0.7, rows_lost: 2, halted: 'spend_cap' })];
  const { engines, client } = measured(states, [...TWO, header('trial', { run_id: 'run-1-trial' })]);
  expect(engines).toEqual([
    {
      instance: 'left',
      segment: '0:1/2',
      cores: 1,
      began_at: formatInstant(ZERO + 210),
      skew_ms: 210,
      planned: 5,
      started: 5,
      schedule_lag_p99_ms: 0,
      cpu_max: 0.4,
      rows_lost: 0,
      closed: true,
      halted: null,
    },
    expect.objectContaining({
      instance: 'right',
      cores: 4,
      skew_ms: 0,
      schedule_lag_p99_ms: 1,
      cpu_max: 0.7,
      rows_lost: 2,
      halted: 'spend_cap',
    }),
  ]);
  expect(client.start_skew_ms).toBe(210);
});

test('a run of one engine tells of none, and its client is the same as ever', () => {
  const { engines, client } = measured([state('left', 0)], [header('left'), header('left', { file: 1 })]);
  expect(engines).toEqual([]);
  expect(client).not.toHaveProperty('start_skew_ms');
});

test('engines that begin too far apart limit the client: for so long the target was asked for less', () => {
  const skewed = (ms: number) => measured([state('left', 0), state('right', ms)], TWO).client;
  expect(skewed(500)).toMatchObject({ verdict: 'valid', start_skew_ms: 500 });
  expect(skewed(501)).toMatchObject({
    verdict: 'client_limited',
    reasons: ['start skew 501 ms is above 5 % of the 10 s in which calls are started'],
  });
});

test('of an engine that never began the skew is not known', () => {
  const { client, engines } = measured([state('left', 0), state('right', null)], TWO);
  expect(client.start_skew_ms).toBeNull();
  expect(engines[1]).toMatchObject({ began_at: null, skew_ms: null });
});

test('an engine is held to its own cores, and named', () => {
  // 0.9 of 1 core; over all lines and 4 cores it would pass for idle.
  const busy = Array.from({ length: 20 }, () => state('left', 0, { cpu: 0.9 }));
  const idle = Array.from({ length: 500 }, () => state('right', 0, { cpu: 0.1 }));
  expect(measured([...busy, ...idle], TWO).client.reasons).toEqual([
    'left: CPU p95 0.9 of 1 cores is above 0.8 of 1 cores',
  ]);
});

test('one whose ledger breaks off is told as not closed', () => {
  const states = [state('left', 0), state('right', 0, { final: false })];
  const { engines, client } = measured(states, TWO);
  expect(engines.map(({ closed }) => closed)).toEqual([true, false]);
  expect(client.reasons).toEqual([
    'the ledger of right was not closed: how the client fared at its end is not known',
  ]);
});
