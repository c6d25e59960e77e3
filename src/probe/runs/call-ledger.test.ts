import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { FakeClock } from '../fake-clock.test-support.ts';
import { rowOf } from '../view/daemon-view.test-support.ts';
import { CallLedger } from './call-ledger.ts';

function ledgerIn(dir: string, now: FakeClock): CallLedger {
  const root = 'http://127.0.0.1:1';
  const bases = { root, v1: `${root}/v1`, api: `${root}/api` };
  const named = { runId: 'probe-main', version: '0.1.0', userAgent: 'weighbridge' };
  return new CallLedger({ ...named, bases, key: () => 'sk-planted-secret', dir, now });
}

it('is one ledger over days and starts', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-calls-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const clock = new FakeClock();
  for (const start of ['a', 'b']) {
    const ledger = ledgerIn(dir, clock);
    expect([ledger.today().number('p'), ledger.today().number('p'), ledger.today().number('q')]).toEqual([
      0, 1, 0,
    ]);
    ledger.rows([rowOf({ call_id: start })]);
    await clock.advance(86_400_000);
    expect(ledger.today().number('p')).toBe(0);
    ledger.rows([rowOf({ call_id: `${start} of the next day` })]);
    await ledger.close();
  }
  const files = readdirSync(dir).sort();
  expect(files.map((name) => name.slice(0, 10))).toEqual([
    '2027-01-15',
    '2027-01-16',
    '2027-01-16',
    '2027-01-17',
  ]);
  const { rows, problems, headers } = await loadLedger(dir);
  expect(rows.map(({ call_id }) => call_id).sort()).toEqual([
    'a',
    'a of the next day',
    'b',
    'b of the next day',
  ]);
  expect(problems).toEqual([]);
  expect(new Set(headers.map(({ run_id }) => run_id)).size).toBe(1);
});
