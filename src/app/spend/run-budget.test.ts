import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { markEngine } from '../../state/running-mark.ts';
import { reserveRun, settleReservation } from './run-budget.ts';

const USD = 10n ** 12n;
const LIMITS = { hour: 3n * USD, day: 5n * USD, month: null };
const NOW = Date.UTC(2027, 0, 15, 10, 30);

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'run-budget-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function planOf(run_id: string, max_spend_usd: string | null, embedded = false) {
  const target = {
    name: 'gw',
    root: 'r',
    v1: 'r',
    api: 'r',
    embedded,
    key: 'shared' as const,
    bill: 'served' as const,
  };
  return { run_id, target, cap: { max_spend_usd, by_scenario: {}, by_model: {}, bounds: [] } };
}

function reserve(run_id: string, usd: string, now_ms = NOW, limits: BudgetLimits = LIMITS): Promise<void> {
  return reserveRun({ home, limits }, planOf(run_id, usd), () => now_ms);
}

test('a run takes its whole cap of the budget before it sends, and the daemon finds it taken', async () => {
  await reserve('one', '2');
  expect(readFileSync(join(home, 'budget.ndjson'), 'utf8')).toContain('"id":"run/one"');
  const clock = { now_ms: () => NOW };
  const probe = await TargetBudget.open(join(home, 'budget.ndjson'), LIMITS, clock);
  expect(await probe.reserve('gw/chat/1', USD)).toBe(true);
  expect(await probe.reserve('gw/chat/2', 1n)).toBe(false);
});

test('over the budget a run is refused: what is left, when it frees', async () => {
  await reserve('one', '2');
  await expect(reserve('two', '1.5')).rejects.toMatchObject({
    code: 'budget_exhausted',
    exitCode: 6,
    message: expect.stringContaining(
      '$1 of $3 is left in this hour and $3 of $5 in this day (UTC). Runs that are not settled reserve $2.',
    ),
    hint: expect.stringContaining('Wait until 2027-01-15T11:00:00.000Z'),
  });
  await reserve('three', '3', NOW + 3_600_000);
  await expect(reserve('four', '1', NOW + 7_200_000)).rejects.toMatchObject({
    hint: expect.stringContaining('Wait until 2027-01-16T00:00:00.000Z'),
  });
  await expect(reserve('five', '4')).rejects.toMatchObject({
    hint: expect.stringContaining('Lower --max-spend-usd'),
  });
});

test('over the cap of the month a run is refused until the next one begins', async () => {
  const limits = { ...LIMITS, month: 7n * USD };
  // The day has no room either, but frees before.
  const eve = Date.UTC(2026, 11, 30, 22);
  await reserve('one', '2', eve - 40 * 3_600_000, limits);
  await reserve('two', '3', eve - 20 * 3_600_000, limits);
  await expect(reserve('three', '2.5', eve, limits)).rejects.toMatchObject({
    code: 'budget_exhausted',
    message:
      'The budget of gw has no room for $2.5. $3 of $3 is left in this hour, $2 of $5 in this day and $2 of $7 in this month (UTC). Runs that are not settled reserve $5. No call was sent.',
    hint: expect.stringContaining('Wait until 2027-01-01T00:00:00.000Z'),
  });
  await expect(reserve('four', '8', eve, limits)).rejects.toMatchObject({
    hint: expect.stringContaining('Lower --max-spend-usd'),
  });
  await reserve('five', '2', eve, limits);
  await reserve('six', '2.5', Date.UTC(2027, 0, 1), limits);
});

test('a month that an earlier version forgot in part is said to be unknown, and what goes on without it', async () => {
  const lines = [
    '{"schema":"weighbridge.budget/1","file":"of an earlier version"}',
    '{"kind":"floor","start":"2027-01-10T00:00:00.000Z"}',
  ];
  writeFileSync(join(home, 'budget.ndjson'), `${lines.join('\n')}\n`);
  await expect(reserve('one', '2', NOW, { ...LIMITS, month: 7n * USD })).rejects.toMatchObject({
    message:
      'The budget of gw has no room for $2. $3 of $3 is left in this hour, $5 of $5 in this day and an unknown part of $7 in this month (UTC). No call was sent.',
    hint: expect.stringContaining('Wait until 2027-02-01T00:00:00.000Z, or remove usd_per_month'),
  });
  await reserve('one', '2');
});

test('two runs that start at once do not pass the budget together', async () => {
  const both = await Promise.allSettled([reserve('one', '2'), reserve('two', '2')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a run that sent nothing gives its cap back; one that was settled is settled once', async () => {
  await reserve('one', '3');
  for (let times = 0; times < 2; times += 1) await settleReservation(home, home, planOf('one', '3'));
  expect(readFileSync(join(home, 'budget.ndjson'), 'utf8').match(/settled/g)).toHaveLength(1);
  await reserve('two', '3');
});

test('without limits it is written down all the same; the embedded gateway has no budget', async () => {
  await reserveRun({ home, limits: null }, planOf('one', '900'), () => NOW);
  await expect(reserve('two', '1')).rejects.toMatchObject({ code: 'budget_exhausted' });
  await reserveRun({ home: null, limits: LIMITS }, planOf('three', '900', true));
});

function charged(usd: string): void {
  writeFileSync(join(home, 'result.json'), JSON.stringify({ money: { charged: usd } }));
}

const spentNow = async (): Promise<bigint | null> =>
  (await TargetBudget.open(join(home, 'budget.ndjson'), null, { now_ms: Date.now })).spent().day;

test('what the records charge counts where it is more, once, also when it is seen later', async () => {
  await reserve('one', '3', Date.now());
  charged('0.5');
  await settleReservation(home, home, planOf('one', '3'));
  expect(await spentNow()).toBe(USD / 2n);
  charged('0.25');
  await settleReservation(home, home, planOf('one', '3'));
  expect(await spentNow()).toBe(USD / 2n);
  charged('4');
  for (let times = 0; times < 2; times += 1) await settleReservation(home, home, planOf('one', '3'));
  expect(await spentNow()).toBe(4n * USD);
  await expect(reserve('two', '1', Date.now())).rejects.toMatchObject({ code: 'budget_exhausted' });
});

test('a run whose load engine still runs keeps its cap, and is settled when that has ended', async () => {
  await reserve('one', '3');
  const engine = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
  onTestFinished(() => void engine.kill('SIGKILL'));
  markEngine(home, 'one', engine.pid ?? 0);
  const kept = await settleReservation(home, home, planOf('one', '3'));
  expect(kept).toMatch(new RegExp(`has not ended: k6 \\(process ${engine.pid} on .*running since`));
  expect(readFileSync(join(home, 'budget.ndjson'), 'utf8')).not.toContain('settled');
  engine.kill('SIGKILL');
  await once(engine, 'exit');
  expect(await settleReservation(home, home, planOf('one', '3'))).toBeNull();
  expect(readFileSync(join(home, 'budget.ndjson'), 'utf8').match(/settled/g)).toHaveLength(1);
});

test('the load engine of another run keeps no cap', async () => {
  await reserve('one', '3');
  markEngine(home, 'two', process.pid);
  expect(await settleReservation(home, home, planOf('one', '3'))).toBeNull();
});

test('lines of a ledger that a newer version wrote free nothing: they may be calls that were paid', async () => {
  await reserve('one', '3');
  mkdirSync(join(home, 'calls'));
  writeFileSync(join(home, 'calls/i0-0.ndjson'), '{"schema":"weighbridge.ledger/2"}\n');
  const kept = await settleReservation(home, home, planOf('one', '3'));
  expect(kept).toContain('its whole cap stays reserved');
  await expect(reserve('two', '1')).rejects.toMatchObject({ code: 'budget_exhausted' });
});
