import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnv, ROOT, scratchDir } from '../support/run-weighbridge.ts';

test('npm start, as a newcomer types it: set-up, progress, and a verdict of at most 14 lines', async () => {
  const out = scratchDir();
  const child = spawn('npm', ['start', '--', '--duration', '6s', '--out', out], {
    cwd: ROOT,
    env: cleanEnv(),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((done) => child.once('close', done));
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('set-up: ready');
  expect(stderr).toMatch(/\d+ s of 6 · \d+ s left {2}started \d+ of \d+ due/);
  // npm itself prints the commands it runs, each behind "> ".
  const verdict = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('> '));
  expect(verdict.length).toBeLessThanOrEqual(14);
  const text = verdict.join('\n');
  expect(text).toMatch(/^kind +planned +started +dropped +ok/);
  for (const kind of [
    'chat',
    'responses',
    'messages',
    'image',
    'image_edit',
    'image_job',
    'image_edit_job',
    'video',
  ]) {
    expect(text).toMatch(new RegExp(`^${kind} +\\d+ +\\d+ +0 +\\d+ `, 'm'));
  }
  expect(text).toMatch(
    /money +100 % checked to the digit · expected \$(\S+) · charged \$\1 · difference \$0/,
  );
  expect(text).toMatch(/^verdict {3}(\d+) of \1 charges match the price list\.$/m);
  expect(text).toMatch(/^findings +none$/m);
  expect(text).toMatch(
    /client +(kept up: |Your machine was too busy\. Ignore the latencies \(client_limited\): )/,
  );
  const report = /report +(\S+report\.html)$/m.exec(text)?.[1] ?? '';
  expect(existsSync(report.startsWith('/') ? report : join(ROOT, report))).toBe(true);
});
