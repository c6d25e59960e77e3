import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { formatAmount, type PicoUsd } from '../../src/core/amount.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { litellmProxy, type ProxyModel } from '../support/litellm-proxy.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const RIGHT = {
  'aspen-mini': {
    input_cost_per_token: '0.00000015',
    output_cost_per_token: '0.0000006',
    cache_read_input_token_cost: '0.000000075',
  },
  'birch-4.1-mini': {
    input_cost_per_token: '0.0000004',
    output_cost_per_token: '0.0000016',
    cache_read_input_token_cost: '0.0000001',
  },
  'cedar-haiku': {
    input_cost_per_token: '0.0000008',
    output_cost_per_token: '0.000004',
    cache_read_input_token_cost: '0.00000008',
    cache_creation_input_token_cost: '0.000001',
  },
  aspen: {
    input_cost_per_token: '0.0000025',
    output_cost_per_token: '0.00001',
    cache_read_input_token_cost: '0.00000125',
  },
} as const;

/** The proxy charges $0.00000007 more for a token that aspen writes, and what it should for the others. */
const TOO_MUCH: PicoUsd = 70_000n;
const MODELS: readonly ProxyModel[] = Object.entries(RIGHT).map(([model, prices]) => ({
  model,
  upstream: model === 'cedar-haiku' ? `anthropic/${model}` : `openai/${model}`,
  prices: model === 'aspen' ? { ...prices, output_cost_per_token: '0.00001007' } : prices,
}));

/** As LiteLLM has its own list, and as the reader of price books takes it. */
const PRICE_MAP = `{${Object.entries(RIGHT)
  .map(([model, prices]) => {
    const figures = Object.entries(prices).map(([name, price]) => `"${name}": ${price}`);
    return `"${model}": {"litellm_provider": "openai", "mode": "chat", ${figures.join(', ')}}`;
  })
  .join(',\n')}}\n`;

const MIXED = `version: 1
duration: 6s
traffic:
  - { kind: chat, rate: 2/s, stream: 0.5, model: aspen-mini }
  - { kind: responses, rate: 1/s, stream: 0.5, model: birch-4.1-mini }
  - { kind: messages, rate: 1/s, stream: 0.5, model: cedar-haiku }
`;
const DEAR = `version: 1
duration: 4s
traffic:
  - { kind: chat, rate: 2/s, stream: 0.5, model: aspen }
`;

const result = z.object({
  money: z.object({
    charged: z.string(),
    expected: z.string(),
    difference: z.string(),
    by_group: z.array(z.object({ group: z.string().nullable(), calls: z.number() })).optional(),
  }),
  coverage: z.object({ to_the_digit: z.number() }),
  findings: z.array(z.object({ class: z.string(), count: z.number() })),
  matching: z.array(z.object({ pass: z.string(), pairs: z.number() })),
});
const noted = z.object({ model_group: z.string(), completion_tokens: z.number(), prompt_tokens: z.number() });

test('a load through the proxy of LiteLLM is audited by what it logs itself: honest, and with a price of its own that is wrong', async () => {
  const gateway = await startGateway({ port: 0, seed: 3, latency: 'fast' });
  onTestFinished(() => gateway.close());
  const proxy = await litellmProxy({ url: gateway.ready.base_url, key: gateway.ready.api_key }, MODELS);
  const dir = scratchDir();
  const prices = join(dir, 'prices.json');
  writeFileSync(prices, PRICE_MAP);
  const common = ['--out', join(dir, 'out'), '--state', join(dir, 'state'), '--json'];
  const env = { WEIGHBRIDGE_API_KEY: proxy.key };
  const runOf = async (plan: string) => {
    const file = join(dir, 'plan.yaml');
    writeFileSync(file, plan);
    const run = ['run', '--config', file, '--target', proxy.url, '--max-calls', '100'];
    const finished = await runWeighbridge([...run, ...common], { env });
    expect(finished.status, finished.stderr).toBe(0);
    return verdictOf(finished).dir;
  };
  const auditOf = async (records: string, mapping: string, ...more: readonly string[]) => {
    const finished = await runWeighbridge(
      [
        ...['reconcile', ...more, '--records', records, '--records-mapping', mapping, '--pricebook', prices],
        // The proxy rounds nothing.
        ...['--assume-reading', 'rounding=half_up/0.000000000001', ...common],
      ],
      { env },
    );
    const judged = result.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
    return { ...judged, status: finished.status };
  };

  const honest = await runOf(MIXED);
  await expect.poll(() => proxy.noted().length).toBe(24);
  const right = await auditOf(proxy.log, 'litellm-payload', '--ledger', honest, '--by', 'tag');
  expect(right).toMatchObject({
    status: 0,
    findings: [],
    coverage: { to_the_digit: 1 },
    // What every answer has in x-litellm-call-id.
    matching: [{ pass: 'request_id', pairs: 24 }],
    money: { difference: '0', by_group: [{ group: null, calls: 24 }] },
  });
  expect(right.money.charged).toBe(right.money.expected);
  // The table of spend says the same of the same calls, read as the ledger of another program's run.
  const calls = join(dir, 'calls');
  mkdirSync(calls);
  cpSync(join(honest, 'calls'), calls, { recursive: true });
  const table = await auditOf(proxy.spend, 'litellm', '--ledger', calls);
  expect(table).toMatchObject({ status: 0, findings: [], matching: [{ pass: 'request_id', pairs: 24 }] });
  expect(table.money).toMatchObject({ charged: right.money.charged, difference: '0' });

  const dear = await runOf(DEAR);
  await expect.poll(() => proxy.noted().length).toBe(32);
  const dearCalls = proxy
    .noted()
    .map((line) => noted.parse(JSON.parse(line)))
    .filter(({ model_group }) => model_group === 'aspen');
  const over = dearCalls.reduce((sum, call) => sum + BigInt(call.completion_tokens) * TOO_MUCH, 0n);
  const wrong = await auditOf(proxy.log, 'litellm-payload', '--run', basename(dear));
  expect(wrong).toMatchObject({ status: 5, money: { difference: formatAmount(over) } });
  expect(wrong.findings).toEqual([{ class: expect.stringMatching(/_mismatch|_price/), count: 8 }]);

  await probe(proxy.url, proxy.key);
});

/** What the daemon sees of a proxy that serves no prices; it makes no call that nothing could be reserved for. */
async function probe(url: string, key: string): Promise<void> {
  const dir = scratchDir();
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(
    file,
    `version: 1
probe:
  targets:
    - name: proxy
      url: ${url}
      key: env:PROXY_KEY
      budget: { usd_per_hour: "1", usd_per_day: "2" }
      text: { models: [aspen-mini], every: 10s, max_tokens: 8 }
      free: { models: 10s, pricebook: off, usage: off, usage_requests: off, account: off }
      negative: { rules: [no_key, unknown_model], every: 10s }
`,
  );
  const args = ['--config', file, '--listen', '127.0.0.1:0', '--state', join(dir, 'state')];
  const daemon = new ProbeProcess(args, { PROXY_KEY: key });
  const metrics = `${await daemon.url()}/metrics`;
  await expect
    .poll(async () => (await fetch(metrics)).text())
    .toMatch(/^weighbridge_probe_skipped_total\{[^}]*"chat-aspen-mini"[^}]*"no_price"[^}]*\} [1-9]/m);
  // The proxy's own answers, as it gives them without a database.
  const refused = await daemon.until((line) => line.probe === 'negative-unknown_model');
  expect(refused).toMatchObject({ error_type: 'wrong_refusal', statuses: [400] });
  expect(refused['request_id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(daemon.lines.filter(({ api }) => api === 'chat')).toEqual([]);
  expect(await daemon.end('SIGTERM')).toBe(0);
}
