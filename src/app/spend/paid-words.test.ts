import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { intentOf, textRow } from '../../reconcile/rows.test-support.ts';
import { NO_CAP } from '../../workload/plan.test-support.ts';
import { paidWords } from './run-budget.ts';

const PLAN = { run_id: 'run-1', cap: { ...NO_CAP, max_spend_usd: '2' } };

function folder(lines: readonly unknown[], counted: string | null): string {
  const dir = mkdtempSync(join(tmpdir(), 'paid-words-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'calls'));
  writeFileSync(join(dir, 'calls/trial-0.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (counted !== null) writeFileSync(join(dir, 'budget.json'), JSON.stringify({ counted_usd: counted }));
  return dir;
}

test('calls that were sent are counted, also those of which no row came; not one that was taken back', async () => {
  const lines = [
    intentOf('a'),
    intentOf('b'),
    intentOf('c'),
    textRow('a'),
    textRow('c', { outcome: 'not_sent' }),
  ];
  const dir = folder(lines, '0.025');
  expect(await paidWords(dir, PLAN)).toBe(
    `paid: 2 calls were sent, which cost at most $0.025; run run-1 in ${dir}`,
  );
});

test('where nothing tells the cost it is the whole cap, and without a call nothing', async () => {
  const dir = folder([intentOf('a'), textRow('a')], null);
  expect(await paidWords(dir, PLAN)).toContain('1 call was sent, which cost at most the whole cap of $2;');
  expect(await paidWords(folder([], '0'), PLAN)).toContain('paid: no call was sent;');
});
