import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { parseTarget } from '../../src/config/target-bases.ts';
import { chainSchema } from '../../src/contracts/chain-result.ts';
import { LEDGER_SCHEMA } from '../../src/contracts/schema-names.ts';
import { formatAmount, parseAmount } from '../../src/core/amount.ts';
import { markerOf } from '../../src/core/marker.ts';
import { formatInstant } from '../../src/core/time.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { planTarget } from '../../src/plan/plan-target.ts';
import { cutRow } from '../../src/reconcile/rows.test-support.ts';
import { planOf, stateOf } from '../../src/workload/plan.test-support.ts';
import { resellingFront } from '../support/reselling-front.ts';
import { listFiles, readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const NONCE = 'nonce-of-the-run';
const coverage = z.object({
  coverage: z.object({ to_the_digit: z.number(), within_bounds: z.number() }),
  findings: z.array(z.object({ class: z.string() })),
});

/** The gateway stands for the one under test and, by its journal, for the one behind it: it counts what it delivered. */
test('what the upstream counted turns a cut stream from bounds into an exact charge', async () => {
  const dir = scratchDir();
  const journal = join(dir, 'upstream.ndjson');
  const running = await startGateway({ port: 0, seed: 3, latency: 'realistic', journalPath: journal });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await running.close();
    open = false;
  };
  onTestFinished(close);
  const { base_url, api_key } = running.ready;
  const prompt = `${markerOf(NONCE, 'call-cut')} Tell me of a mill, at length.`;
  const startedMs = Date.now();
  const stop = new AbortController();
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    signal: stop.signal,
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'aspen-mini',
      stream: true,
      max_tokens: 4000,
      messages: [{ role: 'user', content: prompt }],
    }),
  });
  const requestId = answer.headers.get('x-request-id') ?? '';
  expect(requestId).not.toBe('');
  // Two events in, the client goes away.
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.read();
  stop.abort();
  await expect.poll(() => readFileSync(journal, 'utf8')).toContain(requestId);

  const run = join(dir, 'run');
  mkdirSync(join(run, 'calls'), { recursive: true });
  const row = cutRow('cut', {
    call_id: 'call-cut',
    logical_id: 'call-cut',
    run_id: 'run',
    instance: 'i0',
    model: 'aspen-mini',
    started_at: formatInstant(startedMs),
    end_ms: Date.now() - startedMs,
    request_id: requestId,
    request_ids: [requestId],
    prompt_bytes: 200,
  });
  const header = {
    schema: LEDGER_SCHEMA,
    run_id: 'run',
    instance: 'i0',
    file: 0,
    segment: '0:1',
    seed: 1,
    clock: { wall: formatInstant(startedMs), mono_ms: 0 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2', go: '1' },
  };
  const lines = [header, row, stateOf({ instance: 'i0', run_id: 'run' })];
  writeFileSync(join(run, 'calls/i0-0.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const reading = parseTarget(base_url);
  if ('fault' in reading) throw new Error(reading.fault);
  const target = planTarget({
    bases: reading.bases,
    name: null,
    key: 'exclusive',
    tokenizer: null,
    headers: {},
    stream_end: null,
    dialect: 'auto',
    permission: null,
    budget: null,
  });
  if (target === null) throw new Error('no target');
  writeFileSync(join(run, 'plan.json'), JSON.stringify(planOf({ run_id: 'run', nonce: NONCE, target })));

  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(config, 'version: 1\nsettle: { wait: 3s, poll: 200ms }\n');
  const reconciled = async (...flags: readonly string[]) => {
    const said: string[] = [];
    const code = await runProgram(
      ['reconcile', '--ledger', run, '--config', config, '--state', join(dir, 'state'), '--json', ...flags],
      {
        out: (line) => said.push(line),
        err: (line) => said.push(line),
        ...UNWATCHED,
        width: 100,
        env: { WEIGHBRIDGE_API_KEY: api_key },
      },
    );
    return {
      code,
      said: said.join('\n'),
      ...coverage.parse(JSON.parse(readFileSync(join(run, 'result.json'), 'utf8'))),
    };
  };
  const bounds = await reconciled();
  // The one call was cut, so that none succeeded.
  expect(bounds).toMatchObject({ code: 4, findings: [], coverage: { to_the_digit: 0, within_bounds: 1 } });
  const exact = await reconciled('--upstream', journal);
  expect(exact).toMatchObject({ code: 4, findings: [], coverage: { to_the_digit: 1, within_bounds: 0 } });
  // The copy is all that a later verdict needs.
  await close();
  writeFileSync(journal, '');
  expect(await reconciled()).toMatchObject({ coverage: { to_the_digit: 1 } });
  const none = await reconciled('--upstream', join(dir, 'none'));
  expect(none).toMatchObject({ code: 2, said: expect.stringContaining('upstream_missing') });
});

const PROVIDER_KEY = 'the-key-of-the-reseller';

const PLAN = `version: 1
duration: 12s
seed: 5
target: { key: exclusive }
settle: { wait: 60s, poll: 500ms }
traffic:
  - { kind: chat, model: aspen-mini, rate: 3/s, stream: 0.7, abort: { share: 0.3, after_events: 2 } }
  - { kind: responses, rate: 1/s, stream: 1 }
  - { kind: messages, rate: 1/s, stream: 0.5, model: cedar-sonnet }
  - { kind: image, rate: 0.5/s }
  - { kind: image_job, rate: 0.3/s }
  - { kind: video, rate: 0.2/s }
`;

const journalCall = z.looseObject({
  type: z.string(),
  request_id: z.string(),
  marker: z.string().nullish(),
  model: z.string().nullish(),
  amount: z.string().nullish(),
  result: z.string().nullish(),
});
type JournalCall = z.infer<typeof journalCall>;

const callRow = z.looseObject({ outcome: z.string().optional(), request_id: z.string().nullish() });

const usagePage = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});

test('the chain of two gateways comes to what their journals say, and what is planted in the books is found', async () => {
  const dir = scratchDir();
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const sales = join(dir, 'sales.ndjson');
  const purchases = join(dir, 'purchases.ndjson');
  const seller = await startGateway({ port: 0, seed: 3, latency: 'fast', journalPath: sales });
  onTestFinished(() => seller.close());
  // It sells dearer than it buys.
  const priced = await fetch(`${seller.ready.control_url}/prices`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${seller.ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ factor: '1.37' }),
  });
  expect(priced.status).toBe(200);
  const provider = await startGateway({
    port: 0,
    seed: 4,
    latency: 'fast',
    upstream: true,
    journalPath: purchases,
  });
  let serves = true;
  const stop = async (): Promise<void> => {
    if (serves) await provider.close();
    serves = false;
  };
  onTestFinished(stop);
  const { base_url: buys } = provider.ready;
  const ledger = join(dir, 'bought');
  const front = await resellingFront(seller.ready.base_url, { buys, key: PROVIDER_KEY, dir: ledger });
  const env = { WEIGHBRIDGE_API_KEY: seller.ready.api_key };
  const common = ['--state', join(dir, 'state'), '--json'];
  const run = await runWeighbridge(
    [
      ...['audit', '--target', front.url, '--config', file('weighbridge.yaml', PLAN)],
      ...['--max-spend-usd', '50', '--out', dir, ...common],
    ],
    { env },
  );
  expect({ status: run.status, said: run.status === 0 ? '' : run.stderr }).toEqual({ status: 0, said: '' });
  const folder = verdictOf(run).dir;
  // What the customer cut ends there a little later.
  const due = front.bought();
  await expect.poll(async () => (await recordsOf(buys)).filter(isSettled).length).toBe(due);
  const bill = await recordsOf(buys);
  const book = file('book.json', await (await fetch(`${buys}/pricing.usd.json`)).text());
  // What is under way there ends, and stands in the journal.
  await stop();

  const sold = callsOf(sales);
  expect(sold.some(({ result }) => result !== 'completed')).toBe(true);
  // The two answer by themselves: of a cut stream the count of one says nothing of the other.
  const bought = callsOf(purchases).map((call) => ({ ...call, output_tokens: undefined }));
  const journal = file('journal.ndjson', ndjson(bought));
  const revenue = sumOf(sold);
  const cost = sumOf(bought);
  expect(front.retried()).toBeGreaterThan(3);
  expect(bought).toHaveLength(sold.length + front.retried());

  const chained = async (upstream: string, ...flags: readonly string[]) => {
    const said: string[] = [];
    const copy = join(scratchDir(), 'run');
    cpSync(folder, copy, { recursive: true });
    const code = await runProgram(
      ['reconcile', '--ledger', copy, '--upstream', upstream, ...common, ...flags],
      {
        out: (line) => said.push(line),
        err: (line) => said.push(line),
        ...UNWATCHED,
        width: 200,
        env,
      },
    );
    const { chain } = resultOf(copy);
    return { code, said: said.join('\n'), chain, copy };
  };
  const money = {
    revenue: formatAmount(revenue),
    cost: formatAmount(cost),
    margin: formatAmount(revenue - cost),
  };
  const nothing = { sold_alone: '0', bought_alone: '0', unbilled: '0', doubly_billed: '0' };

  const byJournal = await chained(journal);
  expect(byJournal).toMatchObject({
    code: 0,
    chain: {
      total: { sales: sold.length, purchases: bought.length, ...money, ...nothing },
      links: [{ by: 'marker', sales: sold.length, purchases: bought.length }],
      alone: [],
      findings: [],
    },
  });
  expect(pico(byJournal.chain.total.retried)).toBeGreaterThan(0n);
  expect(marginByModel(byJournal.chain.lines)).toEqual(marginOfJournals(sold, bought));
  const csv = readFileSync(join(byJournal.copy, 'chain.csv'), 'utf8').trim().split('\r\n');
  expect(csv).toHaveLength(byJournal.chain.lines.length + 1);
  expect(readFileSync(join(byJournal.copy, 'report.md'), 'utf8')).toContain('## What was bought for it');

  // The records of the provider, the rows of another program, and the ledger of what was bought say the same.
  const records = file('bill.ndjson', ndjson(bill));
  const byRecords = await chained(records);
  expect(byRecords).toMatchObject({
    code: 0,
    chain: { upstream: { kind: 'records' }, total: { ...money, ...nothing }, findings: [] },
  });
  expect(byRecords.chain.links.map(({ by }) => by)).toEqual(['id']);
  const day = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const told: string[] = [];
  const month = await runProgram(
    [
      ...['reconcile', '--from', day(-86_400_000), '--to', day(86_400_000), '--target', front.url],
      ...['--upstream', records, '--out', join(dir, 'period'), ...common],
    ],
    { out: (line) => told.push(line), err: (line) => told.push(line), ...UNWATCHED, width: 200, env },
  );
  const { dir: period } = z.object({ dir: z.string() }).parse(JSON.parse(told.at(-1) ?? ''));
  expect({ month, ...resultOf(period) }).toMatchObject({
    month: 0,
    chain: { total: { ...money, ...nothing }, findings: [] },
  });
  const generations = file('generations.ndjson', ndjson(bill.map(generationOf)));
  expect(await chained(generations)).toMatchObject({
    code: 0,
    said: expect.stringContaining('rows of openrouter'),
    chain: {
      upstream: { kind: 'rows', mapping: 'openrouter' },
      total: { ...money, ...nothing },
      findings: [],
    },
  });
  const byLedger = await chained(ledger, '--upstream-pricebook', book);
  expect(byLedger.chain).toMatchObject({ upstream: { kind: 'ledger' }, findings: [] });
  // A ledger tells no final usage of what was cut, and no price of it.
  expect(byLedger.code).toBe(7);
  expect(byLedger.chain.unknown.purchases).toBeGreaterThan(0);
  expect(byLedger.chain.total).toMatchObject({ purchases: bought.length, revenue: money.revenue });

  // One call is in no record, one in two, one was bought as another model.
  const right = readNdjson(
    join(folder, 'usage/records.ndjson'),
    z.looseObject({ sweep: z.number(), record: recordShape }),
  );
  const last = Math.max(...right.map(({ sweep }) => sweep));
  const own = [
    ...new Map(right.filter(({ sweep }) => sweep === last).map(({ record }) => [record.id, record])).values(),
  ];
  const rows = listFiles(join(folder, 'calls')).flatMap((path) => readNdjson(path, callRow));
  const succeeded = new Set(
    rows.filter(({ outcome }) => outcome === 'ok').map(({ request_id }) => request_id),
  );
  const attempts = Map.groupBy(bought, ({ marker }) => marker);
  const markerOfRecord = ({ request_id }: { readonly request_id: string }) =>
    sold.find((call) => call.request_id === request_id)?.marker;
  const [dropped, doubled] = own.filter(
    (record) =>
      record.model === 'aspen-mini' &&
      succeeded.has(record.request_id) &&
      attempts.get(markerOfRecord(record))?.length === 1,
  );
  if (dropped === undefined || doubled === undefined) throw new Error('no records');
  const files = (rows: readonly unknown[]) => [
    '--records',
    file('records.ndjson', ndjson(rows)),
    '--upstream-whole',
  ];

  const unbilled = await chained(journal, ...files(own.filter((record) => record !== dropped)));
  const lost = sumOf(attempts.get(markerOfRecord(dropped)) ?? []);
  expect(unbilled).toMatchObject({
    code: 5,
    chain: {
      findings: [{ class: 'unbilled', amount: formatAmount(lost), model: 'aspen-mini' }],
      total: { unbilled: formatAmount(lost), revenue: formatAmount(revenue - pico(dropped.amount)) },
    },
  });
  const twice = await chained(journal, ...files([...own, { ...doubled, id: 'another' }]));
  expect(twice).toMatchObject({
    code: 5,
    chain: { total: { revenue: formatAmount(revenue + pico(doubled.amount)) } },
  });
  expect(twice.chain.findings).toMatchObject([{ class: 'doubly_billed', amount: doubled.amount }]);

  const swap = sold.find(
    ({ model, marker }) => model === 'cedar-sonnet' && attempts.get(marker)?.length === 1,
  );
  const swapped = bought.map((call) =>
    call.marker === swap?.marker ? { ...call, model: 'aspen-mini' } : call,
  );
  expect(await chained(file('swapped.ndjson', ndjson(swapped)))).toMatchObject({
    code: 5,
    said: expect.stringContaining('sold as another model'),
    chain: {
      findings: [
        { class: 'model_swapped', model: 'cedar-sonnet', bought_model: 'aspen-mini', amount: swap?.amount },
      ],
      total: money,
    },
  });

  function callsOf(journal: string): JournalCall[] {
    return readNdjson(journal, journalCall).filter(({ type }) => type === 'call');
  }
});

function resultOf(folder: string) {
  const result = z.object({ chain: chainSchema });
  return result.parse(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')));
}

const recordShape = z.looseObject({
  id: z.string(),
  request_id: z.string(),
  model: z.string(),
  amount: z.string(),
});

function pico(amount: string | null | undefined): bigint {
  const value = parseAmount(amount);
  if (value === null) throw new Error(`no amount: ${amount}`);
  return value;
}

function sumOf(calls: readonly JournalCall[]): bigint {
  return calls.reduce((sum, { amount }) => sum + pico(amount), 0n);
}

function ndjson(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function marginByModel(lines: readonly { readonly model: string; readonly margin: string }[]) {
  const sums: Record<string, string> = {};
  for (const { model, margin } of lines) sums[model] = formatAmount(pico(sums[model] ?? '0') + pico(margin));
  return sums;
}

/** By the marker of the prompts, of which both journals tell. */
function marginOfJournals(sold: readonly JournalCall[], bought: readonly JournalCall[]) {
  return marginByModel(
    sold.map(({ marker, model, amount }) => ({
      model: model ?? '',
      margin: formatAmount(pico(amount) - sumOf(bought.filter((call) => call.marker === marker))),
    })),
  );
}

/** All usage records of the reseller's key. */
async function recordsOf(base_url: string): Promise<readonly Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  const end = Math.floor(Date.now() / 1000) + 60;
  for (let cursor = ''; ; ) {
    const query = `start_time=${end - 3600}&end_time=${end}&limit=100${cursor}`;
    const answer = await fetch(`${base_url}/v1/usage/requests?${query}`, {
      headers: { authorization: `Bearer ${PROVIDER_KEY}` },
    });
    const { data, has_more, next_cursor } = usagePage.parse(await answer.json());
    records.push(...data);
    if (!has_more) return records;
    cursor = `&cursor=${encodeURIComponent(next_cursor ?? '')}`;
  }
}

function isSettled({ billing_status }: Record<string, unknown>): boolean {
  return billing_status !== 'pending';
}

/** A usage record as OpenRouter tells of it. */
function generationOf(record: Record<string, unknown>): object {
  const { request_id, created_at, model, amount, result } = record;
  return {
    data: {
      id: request_id,
      created_at: new Date(Number(created_at) * 1000).toISOString(),
      model: `embedded/${String(model)}`,
      total_cost: Number(amount),
      native_tokens_prompt: record['input_tokens'],
      native_tokens_completion: record['output_tokens'],
      native_tokens_cached: record['cache_read_tokens'],
      cancelled: result !== 'completed',
    },
  };
}
