import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../probe/fake-clock.test-support.ts';
import { MemoryDisk } from '../memory-disk.test-support.ts';
import { type BudgetOptions, TargetBudget } from './target-budget.ts';

const FILE = '/state/budget.ndjson';
const USD = 10n ** 12n;
const LIMITS = { hour: 10n * USD, day: 25n * USD, month: 60n * USD };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function open(disk = new MemoryDisk(), clock = new FakeClock(), options: BudgetOptions = {}) {
  const failures: string[] = [];
  const budget = await TargetBudget.open(FILE, LIMITS, clock, {
    disk,
    writeFailed: ({ code }) => failures.push(code),
    ...options,
  });
  return { budget, disk, clock, failures };
}

test('reserves up to the cap of the hour to the last unit, and anew in the next hour', async () => {
  const { budget, clock } = await open();
  expect(await budget.reserve('a', 6n * USD)).toBe(true);
  expect(await budget.reserve('b', 4n * USD + 1n)).toBe(false);
  expect(await budget.reserve('c', 4n * USD)).toBe(true);
  expect(await budget.reserve('d', 1n)).toBe(false);
  expect(budget.spent()).toEqual({ hour: 10n * USD, day: 10n * USD, month: 10n * USD });
  await clock.advance(HOUR_MS);
  expect(budget.spent()).toEqual({ hour: 0n, day: 10n * USD, month: 10n * USD });
  expect(await budget.reserve('e', 10n * USD)).toBe(true);
});

test('stops at the cap of the UTC day, and goes on in the next', async () => {
  const { budget, clock } = await open();
  for (const id of ['a', 'b']) {
    expect(await budget.reserve(id, 10n * USD)).toBe(true);
    await clock.advance(HOUR_MS);
  }
  expect(await budget.reserve('c', 5n * USD + 1n)).toBe(false);
  expect(await budget.reserve('d', 5n * USD)).toBe(true);
  await clock.advance(Date.UTC(2027, 0, 15, 23, 59, 59, 999) - clock.now_ms());
  expect(await budget.reserve('e', 1n)).toBe(false);
  await clock.advance(1);
  expect(await budget.reserve('f', 10n * USD)).toBe(true);
});

/** Time passes until then; where the clock stands later, it begins there. */
async function until(clock: FakeClock, ms: number): Promise<void> {
  if (ms < clock.now_ms()) clock.setWall(ms);
  await clock.advance(ms - clock.now_ms());
}

/** As much as the caps of hour and day leave, on each of these days at noon. */
async function spendOn(days: readonly string[], { budget, clock }: Awaited<ReturnType<typeof open>>) {
  for (const day of days) {
    await until(clock, Date.parse(`${day}T12:00:00Z`));
    expect(await budget.reserve(day, 10n * USD), day).toBe(true);
    await budget.settle(day, 10n * USD);
  }
}

test.each([
  ['of December', '2026-12', '2026-12-31', '2027-01-01'],
  ['of a February', '2027-02', '2027-02-28', '2027-03-01'],
  ['of a leap February', '2028-02', '2028-02-29', '2028-03-01'],
])('stops at the cap of the month %s, and goes on in the next', async (_, month, last, next) => {
  const opened = await open();
  const { budget, clock } = opened;
  await spendOn(
    ['01', '05', '09', '13', '17'].map((day) => `${month}-${day}`),
    opened,
  );
  expect(await budget.reserve('more', 10n * USD + 1n)).toBe(false);
  await until(clock, Date.parse(`${last}T22:30:00Z`));
  expect(await budget.reserve('all', 10n * USD)).toBe(true);
  await until(clock, Date.parse(`${last}T23:59:59.999Z`));
  expect(budget.spent()).toEqual({ hour: 0n, day: 10n * USD, month: 60n * USD });
  expect(await budget.reserve('above', 1n)).toBe(false);
  await clock.advance(1);
  expect(clock.now_ms()).toBe(Date.parse(next));
  expect(budget.spent().month).toBe(0n);
  expect(await budget.reserve('anew', 10n * USD)).toBe(true);
});

test('what begins in one month and is settled in the next counts in the first', async () => {
  const { budget, clock } = await open(undefined, new FakeClock(Date.UTC(2026, 11, 31, 23, 59)));
  await budget.reserve('over new year', 9n * USD);
  await clock.advance(HOUR_MS);
  expect(budget.spent().month).toBe(0n);
  await budget.settle('over new year', 4n * USD);
  expect(budget.spent()).toEqual({ hour: 0n, day: 0n, month: 0n });
  clock.setWall(Date.UTC(2026, 11, 31, 23, 59));
  expect(budget.spent()).toEqual({ hour: 4n * USD, day: 4n * USD, month: 4n * USD });
});

test('without a cap of the month its spend is known all the same', async () => {
  const opened = await open();
  opened.budget.setLimits({ ...LIMITS, month: null });
  const days = ['02', '04', '06', '08', '10', '12', '14', '16'];
  await spendOn(
    days.map((day) => `2027-01-${day}`),
    opened,
  );
  expect(opened.budget.spent().month).toBe(80n * USD);
});

test('reservations that are made at once count against one another', async () => {
  const { budget } = await open();
  const made = await Promise.all(Array.from({ length: 30 }, (_, n) => budget.reserve(`r${n}`, USD)));
  expect(made.filter((allowed) => allowed)).toHaveLength(10);
});

test('a settlement counts in the hour of its reservation, once', async () => {
  const { budget, clock } = await open();
  await budget.reserve('a', 9n * USD);
  await clock.advance(HOUR_MS);
  await budget.settle('a', 2n * USD);
  await budget.settle('a', 1n * USD);
  await budget.settle('unknown', 5n * USD);
  expect(budget.spent()).toEqual({ hour: 0n, day: 2n * USD, month: 2n * USD });
  expect(budget.open()).toEqual([]);
});

test('the worst case is on the disk before a run may start', async () => {
  const { budget, disk, clock } = await open();
  expect(await budget.reserve('a', 7n * USD)).toBe(true);
  const after = await open(disk.after({ kind: 'power', kept: 0 }), clock);
  expect(after.budget.spent().hour).toBe(7n * USD);
});

test('what a crash left open counts at its worst case until it is settled by its id', async () => {
  const { disk, clock, budget } = await open();
  await budget.reserve('a', 8n * USD);
  const after = await open(disk.after({ kind: 'kill' }), clock);
  expect(after.budget.open()).toEqual([{ id: 'a', worst: 8n * USD, at_ms: clock.now_ms() }]);
  expect(await after.budget.reserve('b', 3n * USD)).toBe(false);
  expect(await after.budget.reserve('a', 0n)).toBe(false);
  await after.budget.settle('a', USD);
  const last = await open(after.disk.after({ kind: 'kill' }), clock);
  expect(last.budget.spent().hour).toBe(USD);
});

test('a clock that goes back frees nothing, and says how far it went', async () => {
  const { budget, clock } = await open();
  await budget.reserve('a', 10n * USD);
  expect(budget.clockBehindMs()).toBe(0);
  for (const back of [HOUR_MS, 30 * DAY_MS]) {
    clock.setWall(Date.UTC(2027, 0, 15, 10, 30) - back);
    expect(await budget.reserve('b', 1n)).toBe(false);
    expect(budget.clockBehindMs()).toBe(back - HOUR_MS / 2);
  }
});

test('of months that were forgotten nothing is allowed', async () => {
  const { disk, budget, clock } = await open(undefined, undefined, { kept_hours: 2, compacted_lines: 1 });
  for (let n = 0; n < 6; n += 1) {
    const id = `r${n}`;
    // The last ones are small: it is not by them that nothing is left.
    const worst = n < 4 ? 10n * USD : 1n;
    await budget.reserve(id, worst);
    await budget.settle(id, worst);
    await clock.advance(31 * DAY_MS);
  }
  await budget.close();
  expect(disk.text(FILE)).not.toContain('r0');
  clock.setWall(Date.UTC(2027, 0, 15, 10, 30));
  const after = await open(disk.after({ kind: 'kill' }), clock);
  expect(await after.budget.reserve('again', 1n)).toBe(false);
  expect(after.budget.clockBehindMs()).toBeGreaterThan(0);
  expect(after.budget.spent()).toEqual({ hour: null, day: null, month: null });
});

test('no hour of a month that goes on is forgotten', async () => {
  const opened = await open(undefined, undefined, { kept_hours: 1, compacted_lines: 1 });
  await spendOn(['2026-12-31', '2027-01-01', '2027-01-09', '2027-01-31'], opened);
  const { budget, disk, clock } = opened;
  expect(budget.spent().month).toBe(30n * USD);
  expect(disk.text(FILE)).not.toContain('2026-12-31T');
  const after = await open(disk.after({ kind: 'kill' }), clock);
  expect(after.budget.spent()).toEqual({ hour: 10n * USD, day: 10n * USD, month: 30n * USD });
});

test('a month of which an earlier version forgot days is not known, and its cap lets nothing through', async () => {
  const disk = new MemoryDisk();
  const lines = [
    { schema: 'weighbridge.budget/1', file: 'of an earlier version' },
    { kind: 'floor', start: '2027-01-10T00:00:00.000Z' },
    { kind: 'hour', start: '2027-01-15T10:00:00.000Z', settled_pusd: String(USD) },
  ];
  disk.put(FILE, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const { budget, clock } = await open(disk, undefined, { kept_hours: 1, compacted_lines: 1 });
  expect(budget.spent()).toEqual({ hour: USD, day: USD, month: null });
  expect(await budget.reserve('a', 1n)).toBe(false);
  expect(budget.clockBehindMs()).toBe(0);
  budget.setLimits({ ...LIMITS, month: null });
  expect(await budget.reserve('a', USD)).toBe(true);
  // A compaction in a later month does not make the days before the first floor known.
  expect(budget.spent()).toEqual({ hour: 2n * USD, day: 2n * USD, month: null });
  budget.setLimits(LIMITS);
  await until(clock, Date.UTC(2027, 1, 1));
  expect(budget.spent()).toEqual({ hour: 0n, day: 0n, month: 0n });
  expect(await budget.reserve('b', 10n * USD)).toBe(true);
});

test('no hour of a day that goes on is forgotten', async () => {
  const { budget, clock } = await open(undefined, undefined, { kept_hours: 1, compacted_lines: 1 });
  for (const worst of [10n * USD, 10n * USD, 5n * USD]) {
    expect(await budget.reserve(`at ${clock.now_ms()}`, worst)).toBe(true);
    await clock.advance(HOUR_MS);
  }
  expect(budget.spent().day).toBe(25n * USD);
  expect(await budget.reserve('more', 1n)).toBe(false);
});

test('the file stays short, and says the same', async () => {
  const { disk, budget, clock } = await open(undefined, undefined, { compacted_lines: 20 });
  for (let n = 0; n < 200; n += 1) {
    expect(await budget.reserve(`r${n}`, USD)).toBe(true);
    await budget.settle(`r${n}`, 1n);
  }
  await budget.reserve('open', USD);
  await budget.close();
  expect(disk.text(FILE).split('\n').length).toBeLessThan(30);
  const after = await open(disk.after({ kind: 'power', kept: 0 }), clock);
  expect(after.budget.spent()).toEqual(budget.spent());
  expect(after.budget.open()).toEqual(budget.open());
});

test('what is settled at its worst case counts as before, and leaves the file', async () => {
  const { disk, budget, clock } = await open(undefined, undefined, { compacted_lines: 20 });
  for (let n = 0; n < 100; n += 1) {
    expect(await budget.reserve(`r${n}`, 7n)).toBe(true);
    await budget.settleAtWorst(`r${n}`);
  }
  await budget.settleAtWorst('unknown');
  expect(budget.spent().hour).toBe(700n);
  expect(disk.text(FILE).split('\n').length).toBeLessThan(30);
  const after = await open(disk.after({ kind: 'power', kept: 0 }), clock);
  expect(after.budget.spent().hour).toBe(700n);
  expect(after.budget.open()).toEqual([]);
});

test('amounts are digits in the file, moments are UTC', async () => {
  const { disk, budget } = await open();
  // One above what a float can hold.
  const worst = 9_007_199_254_740_993n;
  budget.setLimits({ hour: worst, day: worst, month: worst });
  await budget.reserve('a', worst);
  expect(disk.text(FILE).replace(/"file":"[0-9a-f-]{36}"/, '"file":"id"')).toBe(
    '{"schema":"weighbridge.budget/1","file":"id"}\n' +
      `{"kind":"reserved","id":"a","at":"2027-01-15T10:30:00.000Z","worst_pusd":"${worst}"}\n`,
  );
});

test('a file that cannot be written allows no paid run and is told; it mends itself', async () => {
  const { disk, budget, failures } = await open();
  disk.fails = (step) => step === 'sync';
  expect(await budget.reserve('a', USD)).toBe(false);
  expect(failures).toEqual(['state_unwritable']);
  expect(budget.spent().hour).toBe(0n);
  disk.fails = () => false;
  expect(await budget.reserve('b', USD)).toBe(true);
  expect(budget.spent().hour).toBe(USD);
});

test('a settlement that cannot be written counts here, and reaches the file with the next line', async () => {
  const { disk, budget, clock } = await open();
  await budget.reserve('a', 8n * USD);
  disk.fails = (step) => step === 'write';
  await budget.settle('a', USD);
  expect(budget.spent().hour).toBe(USD);
  const killed = await open(disk.after({ kind: 'kill' }), clock);
  expect(killed.budget.spent().hour).toBe(8n * USD);
  disk.fails = () => false;
  await budget.reserve('b', USD);
  const after = await open(disk.after({ kind: 'kill' }), clock);
  expect(after.budget.spent().hour).toBe(2n * USD);
});

test('caps that were read again hold from then on', async () => {
  const { budget } = await open();
  await budget.reserve('a', 5n * USD);
  budget.setLimits({ hour: 5n * USD, day: 5n * USD, month: null });
  expect(await budget.reserve('b', 1n)).toBe(false);
  budget.setLimits({ hour: 9n * USD, day: 9n * USD, month: 6n * USD });
  expect(await budget.reserve('b', USD + 1n)).toBe(false);
  expect(await budget.reserve('b', USD)).toBe(true);
});

test('on the disk of the machine: readable by its owner alone, kept over a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-budget-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'main/budget.ndjson');
  const clock = new FakeClock();
  const budget = await TargetBudget.open(file, LIMITS, clock);
  expect(await budget.reserve('a', USD)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('"worst_pusd":"1000000000000"');
  const beside = await TargetBudget.open(file, LIMITS, clock);
  expect(await beside.reserve('b', 9n * USD)).toBe(true);
  expect(await budget.reserve('c', 1n)).toBe(false);
  await beside.settle('b', 0n);
  await budget.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  const again = await TargetBudget.open(file, LIMITS, clock);
  expect(again.spent().hour).toBe(USD);
  await again.close();
});

test('a clock that is set forward an hour under a daemon frees no money, nor for ever', async () => {
  const { budget, clock } = await open();
  await budget.reserve('a', 10n * USD);
  clock.setWall(clock.now_ms() + HOUR_MS);
  expect(await budget.reserve('b', 1n)).toBe(false);
  await clock.advance(HOUR_MS / 2);
  // Its hour is over.
  expect(await budget.reserve('c', 10n * USD)).toBe(true);
  await clock.advance(HOUR_MS / 2 + 1);
  expect(await budget.reserve('d', 1n)).toBe(false);
  await clock.advance(HOUR_MS);
  expect(await budget.reserve('e', 5n * USD)).toBe(true);
  await clock.advance(DAY_MS);
  expect(await budget.reserve('f', 10n * USD)).toBe(true);
});

test('a clock that is set back an hour under a daemon holds what it has spent for two hours at most', async () => {
  const { budget, clock } = await open();
  await budget.reserve('a', 10n * USD);
  clock.setWall(clock.now_ms() - HOUR_MS);
  expect(await budget.reserve('b', 1n)).toBe(false);
  await clock.advance(2 * HOUR_MS);
  expect(await budget.reserve('c', 10n * USD)).toBe(true);
});
