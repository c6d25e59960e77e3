import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isPaidKind } from '../../src/core/call-kind.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { listFiles, readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const recordLine = z.object({
  sweep: z.number(),
  record: z.object({ id: z.string(), request_id: z.string(), amount: z.string() }),
});

const resultSchema = z.object({
  plan_hash: z.string(),
  load: z.object({
    total: z.object({ planned: z.number(), started: z.number(), dropped: z.number(), ok: z.number() }),
    kinds: z.array(z.object({ kind: z.string(), planned: z.number(), ok: z.number() })),
  }),
  money: z.object({ expected: z.string(), charged: z.string(), difference: z.string() }),
  coverage: z.object({ to_the_digit: z.number() }),
  findings: z.array(z.unknown()),
  exit_codes: z.array(z.unknown()),
});

async function audit(out: string, ...more: string[]) {
  const finished = await runWeighbridge(['audit', '--duration', '15s', '--out', out, '--json', ...more]);
  return { finished, verdict: verdictOf(finished) };
}

test('an honest gateway: exit 0, no finding, expected equals charged to the last digit, rows and records one to one', async () => {
  const out = scratchDir();
  const { finished, verdict } = await audit(out, '--seed', '7');
  expect(finished.stderr).not.toContain('error:');
  expect({ status: finished.status, codes: verdict.exit_codes }).toEqual({ status: 0, codes: [] });
  const result = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  expect(result.findings).toEqual([]);
  expect(result.money.difference).toBe('0');
  expect(result.money.expected).toBe(result.money.charged);
  expect(Number(result.money.charged)).toBeGreaterThan(0);
  expect(result.coverage.to_the_digit).toBe(1);
  expect(result.load.total.dropped).toBe(0);
  expect(result.load.total.started).toBe(result.load.total.planned);
  expect(result.load.total.ok).toBe(result.load.total.started);
  expect(result.load.kinds.map((kind) => kind.kind).sort()).toEqual(
    ['chat', 'image', 'image_edit', 'image_edit_job', 'image_job', 'messages', 'responses', 'video'].sort(),
  );

  const ledger = await loadLedger(verdict.dir);
  const paid = ledger.rows.filter((row) => isPaidKind(row.kind)).map((row) => row.request_id);
  const records = readNdjson(join(verdict.dir, 'usage/records.ndjson'), recordLine);
  const sweep = Math.max(...records.map((line) => line.sweep));
  const recorded = records.filter((line) => line.sweep === sweep).map((line) => line.record.request_id);
  expect(paid.length).toBe(result.load.total.started);
  expect(new Set(paid).size).toBe(paid.length);
  expect([...recorded].sort()).toEqual([...paid].sort());

  // Re-rendering a finished run gives the same bytes.
  const before = Object.fromEntries(
    ['result.json', 'report.md', 'report.html', 'findings.ndjson', 'findings.csv'].map((name) => [
      name,
      readFileSync(join(verdict.dir, name), 'utf8'),
    ]),
  );
  const again = await runWeighbridge(['report', '--run', verdict.run_id, '--out', out, '--json']);
  expect(again.status).toBe(0);
  const after = Object.fromEntries(
    Object.keys(before).map((name) => [name, readFileSync(join(verdict.dir, name), 'utf8')]),
  );
  expect(after).toEqual(before);
  const rejudged = await runWeighbridge(['reconcile', '--run', verdict.run_id, '--out', out, '--json']);
  expect(rejudged.status).toBe(0);
  expect(readFileSync(join(verdict.dir, 'result.json'), 'utf8')).toBe(before['result.json']);
});

test('a second run with the same seed plans the same calls', async () => {
  const plans = await Promise.all(
    ['11', '11', '12'].map(async (seed) => {
      const finished = await runWeighbridge(['plan', '--duration', '15s', '--seed', seed, '--json']);
      expect(finished.status).toBe(0);
      return z
        .object({ plan: z.object({ plan_hash: z.string(), run_id: z.string() }) })
        .parse(JSON.parse(finished.stdout)).plan;
    }),
  );
  expect(plans[0]?.plan_hash).toBe(plans[1]?.plan_hash);
  expect(plans[0]?.run_id).not.toBe(plans[1]?.run_id);
  expect(plans[0]?.plan_hash).not.toBe(plans[2]?.plan_hash);
});

test('no credential reaches a file or the output of a run', async () => {
  const out = scratchDir();
  const { finished, verdict } = await audit(out);
  const files = listFiles(verdict.dir);
  expect(files.length).toBeGreaterThan(8);
  const texts = [finished.stdout, finished.stderr, ...files.map((file) => readFileSync(file, 'utf8'))];
  expect(texts.filter((text) => /\bsk-[A-Za-z0-9]/.test(text))).toEqual([]);
});
