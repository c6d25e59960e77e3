import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { judgeFolder } from '../src/app/judge/judge-folder.ts';
import type { Reconciliation } from '../src/contracts/reconciliation.ts';
import {
  cutRow,
  judge,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../src/reconcile/reconcile.test-support.ts';
import { focusCsv } from '../src/report/focus/focus-csv.ts';
import { HOSTILE_MODEL } from '../src/report/report.test-support.ts';
import { billRows } from '../src/report/rows/bill-row.ts';
import { sampleFolder } from './support/run-weighbridge.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** `node_modules` may be a link into another copy of the tree: set-up put the tool beside the folder itself. */
const NAMED_IN = join(dirname(realpathSync(join(ROOT, 'node_modules'))), '.cache/focus-validator/current');

const PASSED = 'Validation succeeded.';

/** What the validator of FOCUS 1.0 says of the cost table; it has no exit code of its own. */
async function validated(text: string): Promise<string> {
  const command = readFileSync(NAMED_IN, 'utf8').trim();
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-focus-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const file = join(scratch, 'focus.csv');
  writeFileSync(file, text);
  const python = join(dirname(command), '../lib');
  const [version = ''] = readdirSync(python);
  // It finds its list of currencies from here alone.
  const cwd = join(python, version, 'site-packages');
  const args = ['--data-file', file, '--validate-version', '1.0'];
  const said = await promisify(execFile)(command, args, { cwd }).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => error,
  );
  return `${said.stdout ?? ''}${said.stderr ?? ''}`;
}

function focusOf(reconciliation: Reconciliation, billing: 'usage' | 'drawdown'): string {
  const rows = billRows('run', reconciliation);
  return focusCsv(rows, { version: '1.0', billing, target: 'https://gateway.test' }).text;
}

/** Every kind of line, and ids that a reader may take for numbers, dates, nothing or formulas. */
function hostileRun(): Reconciliation {
  const models = [HOSTILE_MODEL, '123', 'NA', 'null', '2026-11-20', '1e5', '=1+1', '"', 'two\nlines'];
  const odd = models.map((model, index) => recordOf(`odd-${index}`, { model, request_id: `${index}` }));
  const records = [
    ...odd,
    recordOf('twice'),
    recordOf('twice', { id: 'second' }),
    recordOf('dear', { amount: '0.0031', refunded_amount: '0.0069' }),
    recordOf('cut'),
    recordOf('long', { amount: '0.00280000000000001' }),
    recordOf('far', { created_at: 9_007_199_254_740_991 }),
    recordOf('back', {
      ...VIDEO_RECORD,
      billing_status: 'refunded',
      result: 'failed',
      amount: '0',
      refunded_amount: '0.1',
    }),
  ];
  return judge({
    rows: [
      ...odd.map((_, index) =>
        textRow(`odd-${index}`, { request_id: `${index}`, request_ids: [`${index}`] }),
      ),
      ...['twice', 'dear', 'long', 'far'].map((name) => textRow(name)),
      cutRow('cut'),
      videoRow('back', { outcome: 'task_failed', error_type: 'task_failed' }),
    ],
    sweeps: [{ records, at_ms: START_MS + 2 * 86_400_000 }],
  });
}

test('the cost table of the sample run is valid FOCUS 1.0', async () => {
  const { reconciliation } = await judgeFolder(sampleFolder());
  if (reconciliation === null) throw new Error('the sample run has no bill');
  expect(await validated(focusOf(reconciliation, 'usage'))).toContain(PASSED);
});

test.each(['usage', 'drawdown'] as const)('that of a hostile run is too, billed as %s', async (billing) => {
  const text = focusOf(hostileRun(), billing);
  expect(text).toContain('Credit');
  expect(text).toContain('Adjustment');
  expect(await validated(text)).toContain(PASSED);
});

test('the validator finds what is wrong', async () => {
  const broken = focusOf(hostileRun(), 'usage').replaceAll('AI and Machine Learning', 'Magic');
  const said = await validated(broken);
  expect(said).not.toContain(PASSED);
  expect(said).toContain('ServiceCategory');
});
