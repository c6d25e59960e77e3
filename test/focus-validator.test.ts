import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

/** What a gateway that bills by the call has; each lets the validator look at the columns that depend on it. */
const CRITERIA = [
  'NEGOTIATED_PRICING_SUPPORTED',
  'PUBLIC_PRICE_LIST_SUPPORTED',
  'RESOURCE_TYPE_ASSIGNMENT_SUPPORTED',
  'SUB_ACCOUNT_SUPPORTED',
  'TAGGING_SUPPORTED',
  'UNIT_PRICING_SUPPORTED',
  'USAGE_MEASUREMENT_SUPPORTED',
];

/**
 * One side of “null, or not null”: the rule above it, which either side satisfies, is looked at too. Credit that was paid
 * before has no invoice.
 */
const ONE_SIDE = ['InvoiceId-C-005-C'];

/** The validator needs ten seconds of a core each time, on a busy machine many more. */
const LIMIT = { timeout: 400_000 };

interface Verdict {
  readonly passed: number;
  /** Ids of the rules that do not hold. */
  readonly failed: readonly string[];
}

/** What the validator of FOCUS says of the cost table by the rules that it brings along; its exit status is 0 whatever it finds. */
async function validated(text: string): Promise<Verdict> {
  const command = readFileSync(NAMED_IN, 'utf8').trim();
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-focus-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const file = join(scratch, 'focus.csv');
  writeFileSync(file, text);
  const python = join(dirname(command), '../lib');
  const [version = ''] = readdirSync(python);
  // From the working folder it reads its list of currencies, and into it it writes a log.
  symlinkSync(join(python, version, 'site-packages/focus_validator'), join(scratch, 'focus_validator'));
  const { stdout } = await promisify(execFile)(
    command,
    [
      ...['--data-file', file, '--validate-version', '1.2', '--block-download'],
      ...['--applicability-criteria', CRITERIA.join(',')],
    ],
    { cwd: scratch, maxBuffer: 64 * 1024 * 1024 },
  );
  const [, passed = ''] = /^Total: \d+ \| Pass: (\d+) \| Fail: \d+/m.exec(stdout) ?? [];
  const failed = [...stdout.matchAll(/^\S+ (\S+): FAIL/gm)].map(([, id = '']) => id);
  return { passed: Number(passed), failed: failed.sort() };
}

function focusOf(reconciliation: Reconciliation, billing: 'usage' | 'drawdown'): string {
  const rows = billRows('run', reconciliation);
  return focusCsv(rows, { billing, target: 'https://gateway.test' }).text;
}

/** FOCUS takes any Unicode; its validator takes ASCII alone. */
const ASCII_HOSTILE_MODEL = HOSTILE_MODEL.replaceAll(/[^ -~]/g, '');

/** Every kind of line, and ids that a reader may take for numbers, dates, nothing or formulas. */
function hostileRun(): Reconciliation {
  const models = [ASCII_HOSTILE_MODEL, '123', 'NA', 'null', '2026-11-20', '1e5', '=1+1', '"', 'two\nlines'];
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

test('the cost table of the sample run is valid FOCUS 1.2', LIMIT, async () => {
  const { reconciliation } = await judgeFolder(sampleFolder());
  if (reconciliation === null) throw new Error('the sample run has no bill');
  const { passed, failed } = await validated(focusOf(reconciliation, 'usage'));
  expect(failed).toEqual(ONE_SIDE);
  expect(passed).toBeGreaterThan(200);
});

test.each(['usage', 'drawdown'] as const)(
  'that of a hostile run is too, billed as %s',
  LIMIT,
  async (billing) => {
    const text = focusOf(hostileRun(), billing);
    expect(text).toContain('Credit');
    expect(text).toContain('Adjustment');
    expect((await validated(text)).failed).toEqual(ONE_SIDE);
  },
);

test('the validator finds what is wrong', LIMIT, async () => {
  const broken = focusOf(hostileRun(), 'usage').replaceAll('AI and Machine Learning', 'Magic');
  expect((await validated(broken)).failed.join()).toContain('ServiceCategory');
});
