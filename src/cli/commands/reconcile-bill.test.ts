import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { shownOn } from '../../../test/support/docs/shown-commands.ts';
import { previewBill } from '../../app/evidence/preview-bill.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import type { LedgerHeader } from '../../contracts/ledger-lines.ts';
import { resultSchema } from '../../contracts/result.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { formatDecimal } from '../../core/decimal.ts';
import { bookDocument, recordOf, TEXT_MODEL, textRow } from '../../reconcile/reconcile.test-support.ts';
import { sumText } from '../../report/words/figure-text.ts';
import { planOf, stateOf } from '../../workload/plan.test-support.ts';
import { runProgram } from '../program.ts';

const MODELS = ['maker/swift-1', 'maker/wide-2', 'maker/deep-3', 'maker/tiny-4'] as const;
const START = Date.UTC(2026, 9, 1) / 1000;
const DAY = 86_400;
const DAYS = 31;
const CALLS_A_DAY = 4;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-bill-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const models = MODELS.map((id) => ({ id, kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8' }));
  const rounding = { scope: 'record', quantum: '0.00000001', mode: 'half_up' };
  write(
    'book.json',
    JSON.stringify({
      object: 'pricebook',
      pricebook_id: 'pb',
      pricing_version: 'v1',
      currency: 'USD',
      rounding,
      models,
    }),
  );
});

function write(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

interface MonthCall {
  readonly name: string;
  readonly model: string;
  readonly day: number;
  readonly at: number;
  readonly input: number;
  readonly output: number;
  /** In 10⁻⁶ USD. */
  readonly micro: number;
}

/** At each sixth hour and a little later; none within minutes of midnight. */
const CALLS: readonly MonthCall[] = MODELS.flatMap((model, index) =>
  Array.from({ length: DAYS * CALLS_A_DAY }, (_, call) => {
    const day = Math.floor(call / CALLS_A_DAY);
    const input = 100_000 + 7_919 * ((call * 13 + index * 31) % 97);
    const output = 5_000 + 101 * ((call * 7 + index) % 89);
    const at = START + day * DAY + (call % CALLS_A_DAY) * 21_600 + 1_800 + index * 60;
    return { name: `${index}-${call}`, model, day, at, input, output, micro: input * 2 + output * 8 };
  }),
);

function records(): string {
  const lines = CALLS.map(({ name, model, at, input, output, micro }) => {
    const amount = formatDecimal({ digits: BigInt(micro), scale: 6 });
    const tokens = { input_tokens: input, output_tokens: output };
    return recordOf(name, {
      ...tokens,
      model,
      created_at: at,
      amount,
      reserved_amount: amount,
      refunded_amount: '0',
    });
  });
  return write('records.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The calls as another program logged them, in the short form. */
function ledger(): string {
  const lines = CALLS.map(({ name, model, at, input, output }) => ({
    schema: 'weighbridge.evidence/1',
    call_id: name,
    started_at: new Date(at * 1000).toISOString(),
    ended_at: new Date(at * 1000 + 900).toISOString(),
    request_id: `req-${name}`,
    kind: 'chat',
    model,
    status: 200,
    outcome: 'ok',
    usage: { input, output },
  }));
  return write('calls.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const dayText = (day: number): string => new Date((START + day * DAY) * 1000).toISOString().slice(0, 10);

/** A bill in the form of OpenRouter's activity; `adds` gives micro USD that a model-day is billed beside its calls. */
function activity(adds: (model: string, day: number, sum: number) => number = () => 0): string {
  const data = MODELS.flatMap((model) =>
    Array.from({ length: DAYS }, (_, day) => {
      const own = CALLS.filter((call) => call.model === model && call.day === day);
      const sum = own.reduce((total, { micro }) => total + micro, 0);
      const usage = formatDecimal({ digits: BigInt(sum + adds(model, day, sum)), scale: 6 });
      return {
        date: dayText(day),
        model,
        model_permaslug: model,
        endpoint_id: 'e1',
        provider_name: 'P',
        usage,
        byok_usage_inference: 0,
        requests: own.length,
        prompt_tokens: 1,
        completion_tokens: 1,
        reasoning_tokens: 0,
      };
    }),
  );
  return write('activity.json', JSON.stringify({ data }));
}

async function reconciled(...flags: readonly string[]) {
  return ran('reconcile', ...flags);
}

async function ran(command: string, ...flags: readonly string[]) {
  const said: string[] = [];
  const code = await runProgram(
    [command, '--out', join(dir, 'out'), '--state', join(dir, 'state'), ...flags],
    {
      out: (line) => said.push(line),
      err: (line) => said.push(line),
      ...UNWATCHED,
      width: 200,
      env: {},
    },
  );
  return { code, said: said.join('\n') };
}

function folder(): string {
  const [name = ''] = readdirSync(join(dir, 'out')).filter((each) => !each.includes('.'));
  return join(dir, 'out', name);
}

function bucketBill() {
  const { bucket_bill } = resultSchema.parse(JSON.parse(readFileSync(join(folder(), 'result.json'), 'utf8')));
  if (bucket_bill === undefined) throw new Error('expected a weighed bill in the result');
  const { billed, ours, over, under, open, unassigned } = bucket_bill.money;
  const minus = under.startsWith('-') ? under.slice(1) : `-${under}`;
  expect(sumText([ours, over, minus, open, unassigned])).toBe(billed);
  return bucket_bill;
}

const OF_MONTH = () => ['--month', '2026-10', '--records', records(), '--pricebook', join(dir, 'book.json')];

test('an honest bill of sums agrees with the records, in the report and in each later verdict', async () => {
  const { code, said } = await reconciled(...OF_MONTH(), '--bill', activity());
  expect(said).toContain('bill      124 of 124 buckets agree · days of UTC, as the bill tells');
  expect(code).toBe(0);
  const { scope, money, late_edges } = bucketBill();
  expect([scope, money.open, money.over, late_edges]).toEqual(['habit', '0', '0', 0]);
  const page = readFileSync(join(folder(), 'report.md'), 'utf8');
  expect(page).toContain('The bill in buckets');
  expect(readFileSync(join(folder(), 'bill.csv'), 'utf8').split('\r\n')).toHaveLength(126);
  const again = await reconciled('--run', folder().split('/').at(-1) ?? '');
  expect(again.said).toContain('124 of 124 buckets agree');
});

test('one per cent more in one model-day is found, with its sum', async () => {
  let planted = 0;
  const bill = activity((model, day, sum) => {
    if (model !== MODELS[2] || day !== 16) return 0;
    planted = Math.round(sum / 100);
    return planted;
  });
  const { code, said } = await reconciled(...OF_MONTH(), '--bill', bill);
  expect(code, said).toBe(5);
  const usd = formatDecimal({ digits: BigInt(planted), scale: 6 });
  const { differing, exceptions } = bucketBill();
  expect(exceptions).toBe(1);
  expect(
    differing.map(({ model, start, verdict, billed, ours }) => [
      model,
      start,
      verdict,
      sumText([billed, `-${ours}`]),
    ]),
  ).toEqual([[MODELS[2], '2026-10-17', 'over', usd]]);
  expect(readFileSync(join(folder(), 'findings.csv'), 'utf8')).toContain('bill_disagrees,S3,bounded,over');
});

test('a ledger without records is held against the bill at what its calls should cost', async () => {
  const of = ['--ledger', ledger(), '--month', '2026-10', '--pricebook', join(dir, 'book.json')];
  const { code, said } = await reconciled(...of, '--bill', activity());
  expect(said).toContain('verdict   The bill matches the calls: 124 of 124 buckets agree');
  expect(code, said).toBe(0);
  const less = await reconciled(
    ...of,
    '--bill',
    activity((model, day) => (model === MODELS[0] && day === 3 ? -20_000 : 0)),
    '--bill-whole',
  );
  expect(less.code, less.said).toBe(5);
  expect(bucketBill().differing.map(({ start, verdict }) => [start, verdict])).toEqual([
    ['2026-10-04', 'under'],
  ]);
});

test('a bill that few calls are of leaves no conclusion until it is said to be of them alone', async () => {
  const bill = activity((model) => (model === MODELS[1] ? 1_000_000 : 0));
  const { code, said } = await reconciled(...OF_MONTH(), '--bill', bill);
  expect(said).toContain(
    '30 of 124 buckets of the bill differ, and nothing says that it is of these calls alone',
  );
  expect(code).toBe(7);
  expect(bucketBill().money.over).toBe('0');
  const whole = await reconciled(...OF_MONTH(), '--bill', bill, '--bill-whole');
  expect(whole.code).toBe(5);
  expect(
    bucketBill()
      .by_model.map(({ model, over }) => [model, over !== '0'])
      .filter(([, over]) => over),
  ).toEqual([[MODELS[1], true]]);
  expect(
    readFileSync(join(folder(), 'findings.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('bill_disagrees')),
  ).toHaveLength(1);
});

test('--preview shows ten rows as they are understood, and judges nothing', async () => {
  const { code, said } = await reconciled('--bill', activity(), '--preview');
  expect(code).toBe(0);
  expect(said).toContain(
    '124 rows in 31 buckets of time are understood, by openrouter-activity; the first 10 are shown',
  );
  expect(said).toMatch(/^2026-10-01 +2026-10-02 +maker\/swift-1 +[\d.]+ +2 +4/m);
});

test('what is no bill is refused before anything is judged', async () => {
  const { code, said } = await reconciled(...OF_MONTH(), '--bill', write('x.csv', 'a,b\n1,2\n'));
  expect(code).toBe(2);
  expect(said).toContain('bill_kind_unknown');
  const late = await reconciled(...OF_MONTH(), '--bill', activity(), '--bill-late', 'soon');
  expect([late.code, late.said.includes('bill_late_invalid')]).toEqual([2, true]);
});

test('the FOCUS export of a verdict is a bill that agrees with it to the digit', async () => {
  await reconciled(...OF_MONTH());
  const run = folder().split('/').at(-1) ?? '';
  expect((await ran('report', '--run', run, '--format', 'focus')).code).toBe(0);
  const { code, said } = await reconciled(
    '--run',
    run,
    '--bill',
    join(folder(), 'focus.csv'),
    '--bill-whole',
  );
  expect(code, said).toBe(0);
  const { mapping, money, agrees, buckets, unit } = bucketBill();
  expect([mapping, unit, money.open, agrees === buckets]).toEqual(['focus', 'USD', '0', true]);
});

test('a bill of tokens is weighed by tokens, in a form of its own', async () => {
  const mapping = write(
    'tokens.yaml',
    'schema: weighbridge.bill/1\nkinds:\n  - bucket: { start: day, model: model, tokens: { sum: [in, out] } }\n',
  );
  const rows = MODELS.flatMap((model) =>
    Array.from({ length: DAYS }, (_, day) => {
      const own = CALLS.filter((call) => call.model === model && call.day === day);
      const sum = (of: 'input' | 'output') => own.reduce((total, call) => total + call[of], 0);
      const more = model === MODELS[3] && day === 9 ? 1 : 0;
      return `${dayText(day)},${model},${sum('input')},${sum('output') + more}`;
    }),
  );
  const bill = write('tokens.csv', ['day,model,in,out', ...rows].join('\n'));
  const { code, said } = await reconciled(...OF_MONTH(), '--bill', bill, '--bill-mapping', mapping);
  expect(code, said).toBe(5);
  expect(said).toContain('123 of 124 buckets agree · 1 over by at least 1 token');
  const { differing, zone } = bucketBill();
  expect(differing.map(({ start, model, over }) => [start, model, over])).toEqual([
    ['2026-10-10', MODELS[3], '1'],
  ]);
  expect(zone.how).toBe('several');
});

test('every command of docs/bills.md runs as shown, and says what is shown', async () => {
  const page = shownOn('docs/bills.md');
  const bill = activity((model, day, sum) => (model === MODELS[2] && day === 16 ? Math.round(sum / 100) : 0));
  const files = { 'records.ndjson': records(), 'calls.ndjson': ledger(), 'activity.json': bill };
  const places = new Map<string, string>([...Object.entries(files), ['book.json', join(dir, 'book.json')]]);
  const said: string[] = [];
  for (const { command } of page.commands.filter(({ block }) => block)) {
    const [, ...words] = command.split(' ').slice(1);
    const told = await reconciled(...words.map((word) => places.get(word) ?? word));
    expect([0, 5], `${command}\n${told.said}`).toContain(told.code);
    said.push(told.said);
  }
  expect(said).toHaveLength(3);
  const lines = readFileSync('docs/bills.md', 'utf8').split('\n');
  const shown = lines.filter((line) => /^ {4}(?:bill|sums) /.test(line)).map((line) => line.trim());
  expect(said[0]?.split('\n')).toEqual(expect.arrayContaining(shown));
  expect(shown).toHaveLength(2);
});

test('the mapping of docs/bills.md reads its rows', () => {
  const [, mapping = ''] = /```yaml\n(.*?)```/s.exec(readFileSync('docs/bills.md', 'utf8')) ?? [];
  const bill = write(
    'own.csv',
    'type,day,product,cents,calls\nuse,2026-10-03,swift-1 / input,12.5,4\nfee,2026-10-03,,30,\n',
  );
  const { shown, unassigned } = previewBill([bill], write('own.yaml', mapping));
  expect(unassigned).toBe(1);
  expect(shown.map(({ model, amount, requests, item }) => [model, amount, requests, item])).toEqual([
    ['swift-1', '0.125', '4', ''],
    [null, '0.3', null, 'fee'],
  ]);
});

test('a run on a target without records is held against the bill of its provider', async () => {
  const at = START + 12 * 3_600;
  const row = textRow('a', { started_at: new Date(at * 1000).toISOString() });
  const run = join(dir, 'out/run');
  mkdirSync(join(run, 'calls'), { recursive: true });
  const plan = planOf({ run_id: 'run' });
  const target = { ...plan.target, bill: 'none' };
  writeFileSync(join(run, 'plan.json'), JSON.stringify({ ...plan, target }));
  const header: LedgerHeader = {
    schema: LEDGER_SCHEMA,
    run_id: 'run',
    instance: 'one',
    file: 0,
    segment: '0:1',
    seed: 1,
    clock: { wall: row.started_at, mono_ms: 0 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2', go: '1' },
  };
  const lines = [header, row, stateOf({ instance: 'one', run_id: 'run' })];
  writeFileSync(join(run, 'calls/one-0.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const book = write('run-book.json', JSON.stringify(bookDocument()));
  const costs = (value: number) =>
    write(
      'costs.json',
      JSON.stringify({
        data: [
          {
            start_time: START,
            end_time: START + DAY,
            results: [{ amount: { value, currency: 'usd' }, line_item: `${TEXT_MODEL}, input` }],
          },
        ],
        has_more: false,
      }),
    );
  const of = ['--run', 'run', '--pricebook', book, '--bill-whole', '--bill'];
  const honest = await reconciled(...of, costs(0.0028));
  expect(honest.said).toContain('1 of 1 bucket agrees');
  expect(honest.said).not.toContain('unrecorded');
  const twice = await reconciled(...of, costs(0.0056));
  expect(twice.said).toContain('1 over by at least $0.0027');
  expect(twice.code, twice.said).toBe(5);
});
