import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const result = z.object({
  load: z.object({
    total: z.object({ started: z.number(), ok: z.number(), good: z.number(), attainment: z.number() }),
    failed_downloads: z.array(z.looseObject({ status: z.number(), count: z.number() })),
    objectives: z.array(z.object({ measure: z.string(), met: z.boolean() })),
  }),
  money: z.object({ expected: z.string(), charged: z.string(), difference: z.string() }),
  findings: z.array(z.unknown()),
});

const FAULTS =
  'faults:\n  - {fault: sem.link_expired, when: {probability: 1}, parameters: {lasting: true}}\n';

const PLAN = `version: 1
duration: 4s
traffic:
  - {kind: image, rate: 1/s}
  - {kind: image_edit, rate: 1/s}
  - {kind: image_job, rate: 1/s}
objectives:
  - {kind: image, measure: error_share, max: 0.1}
`;

test('images whose links are all dead: none is ok, the report says why, and the bill holds', async () => {
  const out = scratchDir();
  const [plan, faults] = [join(out, 'audit.yaml'), join(out, 'faults.yaml')];
  writeFileSync(plan, PLAN);
  writeFileSync(faults, FAULTS);
  const files = ['--config', plan, '--faults', faults, '--out', out];
  const finished = await runWeighbridge(['audit', ...files, '--json']);
  const { dir, result: path, exit_codes } = verdictOf(finished);
  expect(exit_codes).toContain(4);
  const { load, money, findings } = result.parse(JSON.parse(readFileSync(path, 'utf8')));
  expect(load.total).toEqual({ started: 12, ok: 0, good: 0, attainment: 0 });
  expect(load.failed_downloads).toMatchObject([{ status: 403, count: 12 }]);
  expect(load.objectives).toEqual([{ measure: 'error_share', met: false }]);
  expect(findings).toEqual([]);
  expect(money).toEqual({ expected: money.charged, charged: money.charged, difference: '0' });
  expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain(
    '12 results could not be downloaded: HTTP 403 (12).',
  );
  expect(finished.stderr).toContain('download  12 results could not be downloaded: HTTP 403 (12)');
});
