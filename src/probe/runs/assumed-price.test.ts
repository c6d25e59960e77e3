import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rowOf } from '../view/daemon-view.test-support.ts';
import { reserve, settleRow } from './paid-run.ts';
import { meansIn } from './target-means.test-support.ts';

const ASSUMED = 5n * 10n ** 9n;

async function bench(assumed_run_usd: bigint | null, model: string) {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-assumed-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const opened = await meansIn(dir, 'http://127.0.0.1:9');
  onTestFinished(opened.close);
  const told: unknown[] = [];
  const means = {
    ...opened.means,
    target: () => ({ ...opened.means.target(), assumed_run_usd }),
    reserved: (_: unknown, worst: bigint, price: string) => told.push([worst, price]),
  };
  const due = { ...opened.due, probe: { ...opened.due.probe, model } };
  return { means, due, told, budget: opened.budget };
}

test('a model without a price is reserved by the assumed price, and the run is marked so', async () => {
  const { means, due, told, budget } = await bench(ASSUMED, 'unlisted');
  const asked = await reserve(means, due);
  if (!('reserved' in asked)) throw new Error('nothing was reserved');
  expect(told).toEqual([[ASSUMED, 'assumed']]);
  expect(budget.spent().hour).toBe(ASSUMED);
  // Nothing prices what it used: the assumed amount stays spent, and no priced amount is told.
  const spend = await settleRow(means, asked.reserved, rowOf({ model: 'unlisted', status: 200 }));
  expect(spend).toEqual({ reserved: ASSUMED, priced: null });
  expect(budget.spent().hour).toBe(ASSUMED);
});

test('without an assumed price it does not run, for want of a price and not of budget', async () => {
  const { means, due, told } = await bench(null, 'unlisted');
  expect(await reserve(means, due)).toEqual({ refused: { kind: 'skipped', reason: 'no_price' } });
  expect(told).toEqual([]);
});

test('a price of the list goes before the assumed one', async () => {
  const { means, due, told } = await bench(ASSUMED, 'm');
  expect(await reserve(means, due)).toHaveProperty('reserved');
  expect(told).toEqual([[expect.any(BigInt), 'known']]);
  expect(told).not.toEqual([[ASSUMED, 'known']]);
});
