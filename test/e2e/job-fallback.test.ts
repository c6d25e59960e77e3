import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPaidKind } from '../../src/core/call-kind.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

test('a job route that is not offered falls back to the sync endpoint, and only the second attempt is charged', async () => {
  const out = scratchDir();
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(
    config,
    [
      'version: 1',
      'duration: 3s',
      'traffic:',
      '  - {kind: image_job, model: nimbus-sync-only, rate: 1/s}',
      '  - {kind: image_edit_job, model: nimbus-sync-only, rate: 1/s, multipart: 0.5}',
      '',
    ].join('\n'),
  );
  const finished = await runWeighbridge(['audit', '--config', config, '--out', out, '--json']);
  expect(finished.status).toBe(0);
  const { rows } = await loadLedger(verdictOf(finished).dir);
  const attempts = rows
    .filter((row) => isPaidKind(row.kind))
    .map(({ kind, attempt, outcome, error_code }) => ({ kind, attempt, outcome, error_code }));
  const count = (expected: (typeof attempts)[number]): number =>
    attempts.filter((row) => JSON.stringify(row) === JSON.stringify(expected)).length;
  expect(
    count({ kind: 'image_job', attempt: 1, outcome: 'http_error', error_code: 'unsupported_route' }),
  ).toBe(3);
  expect(count({ kind: 'image', attempt: 2, outcome: 'ok', error_code: null })).toBe(3);
  expect(
    count({ kind: 'image_edit_job', attempt: 1, outcome: 'http_error', error_code: 'unsupported_route' }),
  ).toBe(3);
  expect(count({ kind: 'image_edit', attempt: 2, outcome: 'ok', error_code: null })).toBe(3);
  expect(attempts.length).toBe(12);
});
