import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import type { AuditOptions } from '../../app/run/audit-stage.ts';
import { demoCommand } from './demo.ts';

/** What the audit behind the demo is asked for, where the reader's environment names a gateway of theirs. */
async function asked(...args: readonly string[]): Promise<AuditOptions | undefined> {
  let options: AuditOptions | undefined;
  const program = new Command();
  const start = async (given: AuditOptions) => {
    options = given;
    return 0;
  };
  const env = { WEIGHBRIDGE_TARGET: 'http://127.0.0.1:1', WEIGHBRIDGE_MAX_SPEND_USD: '900' };
  const terminal = { ...UNWATCHED, out: () => undefined, err: () => undefined, width: 100, env };
  demoCommand(start)(program, terminal, () => undefined);
  await program.parseAsync(['demo', ...args], { from: 'user' });
  return options;
}

test('the demo asks no gateway of the reader, and its own charges rightly', async () => {
  const { config, embedded } = (await asked()) ?? {};
  expect(config).toMatchObject({ target: { bases: null }, duration_ms: 5_000 });
  expect(embedded).toMatchObject({ faults: null });
});

test('--overcharge makes its gateway charge some calls twice', async () => {
  const { embedded } = (await asked('--overcharge')) ?? {};
  expect(readFileSync(embedded?.faults ?? '', 'utf8')).toContain('bill.double_charge');
});
