import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_PLAN_FILE, loadConfig } from '../config/load-config.ts';
import type { ConfigFlags } from '../config/settings.ts';
import { parseAmount } from '../core/amount.ts';
import { plannedStarts } from '../core/arrival.ts';
import { planCall } from '../core/call-plan.ts';
import { PRICE_BOOK_SCHEMA, type PriceBook } from '../core/price-book.ts';
import { OVERHEAD_TOKENS } from './forecast.ts';
import { embeddedTarget, planTarget } from './plan-target.ts';
import { type PlanRequest, resolvePlan } from './resolve-plan.ts';
import { trialPlan } from './trial-plan.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-plan-'));
afterAll(() => rmSync(dir, { recursive: true }));

const book: PriceBook = {
  schema: PRICE_BOOK_SCHEMA,
  pricebook_id: 'pb',
  pricing_version: 'v',
  currency: 'USD',
  source: { kind: 'test', sha256: '' },
  rounding: { quantum: '0.000001', mode: 'half_up' },
  usage_semantics: { input_includes_cache: 'yes' },
  models: [
    text('dear', '3', '15', null),
    text('cheap', '0.1', '0.4', 8_192),
    text('unlisted', '0.01', '0.01', null),
    {
      model: 'pictures',
      kind: 'image',
      max_output_tokens: null,
      components: [
        { meter: 'image', price: '0.02', per: '1', quality: 'low' },
        { meter: 'image', price: '0.05', per: '1', quality: 'medium' },
        { meter: 'image', price: '0.20', per: '1', quality: 'high' },
      ],
    },
    {
      model: 'films',
      kind: 'video',
      max_output_tokens: null,
      components: [
        { meter: 'video_second', price: '0.10', per: '1', resolution: '720p' },
        { meter: 'video_second', price: '0.30', per: '1', resolution: '1080p' },
      ],
    },
  ],
  adjustments: [],
};
const listed = ['dear', 'cheap', 'pictures', 'films', 'free of price'];

function text(model: string, input: string, output: string, max: number | null): PriceBook['models'][number] {
  return {
    model,
    kind: 'text',
    max_output_tokens: max,
    components: [
      { meter: 'input_token', price: input, per: '1000000' },
      { meter: 'output_token', price: output, per: '1000000' },
    ],
  };
}

let files = 0;
function resolve(yaml: string | null, flags: ConfigFlags = {}, more: Partial<PlanRequest> = {}) {
  files += 1;
  const file = yaml === null ? DEFAULT_PLAN_FILE : join(dir, `${files}.yaml`);
  if (yaml !== null) writeFileSync(file, `version: 1\n${yaml}`);
  const config = loadConfig({ file, env: {}, flags });
  const target = planTarget(config.target) ?? embeddedTarget('http://127.0.0.1:4000');
  return resolvePlan({
    config,
    target,
    book,
    listedModels: listed,
    runId: '20261120T000000Z-abcd',
    nonce: 'n',
    now: Date.UTC(2026, 10, 20),
    ...more,
  });
}

const REMOTE = { target: 'https://gateway.example/v1', maxSpendUsd: '2.00' };
const LOCAL = { target: 'http://127.0.0.1:8080', maxSpendUsd: '2.00' };
const CHAT = 'traffic: [{kind: chat, rate: 1/s, max_in_flight: 5}]';

describe('models', () => {
  it('are the cheapest listed and priced ones, and each is named with the reason', () => {
    const { plan, chosen } = resolve(null);
    expect(new Map(plan.workload.scenarios.map(({ kind, model }) => [kind, model]))).toEqual(
      new Map([
        ['chat', 'cheap'],
        ['responses', 'cheap'],
        ['messages', 'cheap'],
        ['image', 'pictures'],
        ['image_edit', 'pictures'],
        ['image_job', 'pictures'],
        ['image_edit_job', 'pictures'],
        ['video', 'films'],
      ]),
    );
    expect(chosen[0]).toEqual({
      scenario: 'chat',
      model: 'cheap',
      why: 'cheapest text model listed and in the price book',
    });
  });

  it('are taken as configured, whatever their name', () => {
    const id = ' a/b:c@d,e=f "g" ';
    const { plan, chosen } = resolve(`traffic: [{kind: chat, rate: 1/s, model: ${JSON.stringify(id)}}]`);
    expect(plan.workload.scenarios[0]?.model).toBe(id);
    expect(chosen[0]?.why).toBe('configured');
  });

  it('stop their scenario where none is found, or where the cap cannot bound them', () => {
    const { plan } = resolve(
      'traffic: [{kind: chat, rate: 1/s, model: free of price}, {kind: responses, rate: 1/s}]',
      LOCAL,
    );
    expect(plan.workload.scenarios.map(({ name }) => name)).toEqual(['responses']);
    expect(plan.stopped).toEqual([
      {
        scenario: 'chat',
        kind: 'chat',
        model: 'free of price',
        reason: expect.stringContaining('not priced'),
      },
    ]);
    const none = resolve(CHAT, LOCAL, { listedModels: ['unknown'] });
    expect(none.plan.stopped[0]?.reason).toContain('no listed model of this kind is priced');
    expect(resolve(CHAT, LOCAL, { book: null }).plan.stopped[0]?.reason).toContain('no readable price book');
  });
});

describe('bounds', () => {
  const boundOf = (entry: string, models = '') =>
    resolve(`${models}\ntraffic: [${entry}]`).plan.cap.bounds[0];

  it('are whole 10⁻¹² USD, with the largest output of the configuration, the book, or 200,000', () => {
    expect(boundOf('{kind: chat, rate: 1/s, model: cheap}')).toEqual({
      model: 'cheap',
      kind: 'chat',
      per_input_token: '100000',
      per_output_token: '400000',
      // One step of the book's rounding.
      fixed: '1000000',
      max_output_tokens: 8_192,
    });
    expect(boundOf('{kind: chat, rate: 1/s, model: dear}')?.max_output_tokens).toBe(200_000);
    const limited = boundOf('{kind: chat, rate: 1/s, model: dear}', 'models: {dear: {max_output: 77}}');
    expect(limited?.max_output_tokens).toBe(77);
  });

  it.each([
    ['{kind: image, rate: 1/s}', '50001000000'],
    ['{kind: image, rate: 1/s, quality: low}', '20001000000'],
    ['{kind: image, rate: 1/s, quality: auto}', '200001000000'],
    ['{kind: video, rate: 1/s, seconds: 8}', '800001000000'],
    ['{kind: video, rate: 1/s, seconds: 8, size: 1920x1080}', '2400001000000'],
    ['{kind: video, rate: 1/s, seconds: 8, size: 1080x1920}', '2400001000000'],
  ])('of %s are fixed at %s', (entry, fixed) => {
    expect(boundOf(entry)?.fixed).toBe(fixed);
  });

  it('of one model and kind are one, the dearest', () => {
    const { plan } = resolve('traffic: [{kind: image, rate: 1/s}, {kind: image, rate: 1/s, quality: high}]');
    expect(plan.cap.bounds.map(({ fixed }) => fixed)).toEqual(['200001000000']);
  });
});

describe('the cap', () => {
  it('is needed for every target but the embedded gateway', () => {
    const needed = expect.objectContaining({ code: 'spend_cap_needed', exitCode: 2 });
    expect(() => resolve(CHAT, { target: 'http://127.0.0.1:8080' })).toThrow(needed);
    expect(resolve(CHAT, LOCAL).plan.cap.max_spend_usd).toBe('2.00');
    expect(resolve(CHAT).plan.cap.max_spend_usd).toBeNull();
    expect(resolve(CHAT, { maxSpendUsd: '1' }).plan.cap.max_spend_usd).toBe('1');
  });
});

describe("a target that may be somebody else's", () => {
  const refused = expect.objectContaining({ code: 'permission_needed', exitCode: 2 });
  const allowed = (until: string) =>
    `target: {permission: {by: ops, until: ${until}, max_rps: 3, max_in_flight: 9}}\n`;

  it.each([
    ['{kind: chat, rate: 2/s, max_in_flight: 5}'],
    ['{kind: chat, rate: 1/s, max_in_flight: 2}, {kind: responses, rate: 1/s, max_in_flight: 3}'],
  ])('bears %s without permission', (entries) => {
    expect(resolve(`traffic: [${entries}]`, REMOTE).plan.stopped).toEqual([]);
  });

  it.each([
    ['{kind: chat, rate: 2.001/s, max_in_flight: 5}'],
    ['{kind: chat, rate: 2/s, max_in_flight: 6}'],
    [
      '{kind: chat, rate: 1/s, max_in_flight: 2, stages: [{duration: 1s, rate: 3/s}, {duration: 1s, rate: 0/s}]}',
    ],
    ['{kind: chat, rate: 1.5/s, max_in_flight: 2}, {kind: responses, rate: 1/s, max_in_flight: 2}'],
  ])('is refused %s', (entries) => {
    expect(() => resolve(`traffic: [${entries}]`, REMOTE)).toThrow(refused);
    expect(() => resolve(`traffic: [${entries}]`, LOCAL)).not.toThrow();
  });

  it('is held to its permission and to its end', () => {
    const entry = 'traffic: [{kind: chat, rate: 3/s, max_in_flight: 9}]';
    expect(() => resolve(`${allowed('2026-11-20')}${entry}`, REMOTE)).not.toThrow();
    expect(() => resolve(`${allowed('2026-11-19')}${entry}`, REMOTE)).toThrow(refused);
    expect(() => resolve(`${allowed('2026-11-20')}${entry.replace('3/s', '3.1/s')}`, REMOTE)).toThrow(
      refused,
    );
    expect(() => resolve(`${allowed('2026-11-20')}${entry.replace('9', '10')}`, REMOTE)).toThrow(refused);
  });

  it('gets the default traffic in small: text only, 2 calls/s, 5 in flight, and is told so', () => {
    const { plan, notes } = resolve(null, REMOTE);
    expect(plan.workload.scenarios.map(({ kind }) => kind)).toEqual(['chat', 'responses', 'messages']);
    expect(plan.workload.scenarios.reduce((sum, { max_in_flight }) => sum + max_in_flight, 0)).toBe(5);
    const starts = plan.workload.scenarios.reduce((sum, { arrival }) => sum + plannedStarts(arrival), 0);
    expect(starts).toBeGreaterThan(90);
    expect(starts).toBeLessThanOrEqual(120);
    expect(notes).toHaveLength(2);
  });
});

describe('traffic', () => {
  it('holds images and videos on the embedded gateway, and on another only when asked for', () => {
    expect(resolve(null).plan.workload.scenarios).toHaveLength(8);
    expect(resolve(null, LOCAL).plan.workload.scenarios.map(({ kind }) => kind)).toEqual([
      'chat',
      'responses',
      'messages',
    ]);
    const asked = resolve('traffic: [{kind: video, rate: 1/s}]', LOCAL).plan.workload.scenarios;
    expect(asked.map(({ kind }) => kind)).toEqual(['video']);
  });

  it('carries objectives to each scenario that they name', () => {
    const yaml = `traffic: [{kind: chat, rate: 1/s}, {kind: chat, rate: 1/s}, {kind: image, rate: 1/s}]
objectives: [{kind: chat, measure: ttft_ms, percentile: 95, max: 800}, {scenario: image, measure: error_share, max: 0.01}]`;
    expect(resolve(yaml).plan.workload.objectives).toEqual([
      { scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 800 },
      { scenario: 'chat-2', measure: 'ttft_ms', percentile: 95, max: 800 },
      { scenario: 'image', measure: 'error_share', percentile: null, max: 0.01 },
    ]);
  });
});

it('says which objective has nothing to judge', () => {
  const { plan, notes } = resolve('objectives: [{kind: video, measure: error_share, max: 0}]', LOCAL);
  expect(plan.workload.objectives).toEqual([]);
  expect(notes).toContain('the objective on error_share of video is not judged: nothing of it runs');
});

describe('the plan hash', () => {
  const hash = (yaml: string | null, flags: ConfigFlags = {}, more: Partial<PlanRequest> = {}) =>
    resolve(yaml, flags, more).plan.plan_hash;

  it('is that of the calls: another run, nonce, time or cap plans the same', () => {
    const other = { runId: 'other', nonce: 'other', now: Date.UTC(2027, 0, 1) };
    expect(hash(null)).toMatch(/^[0-9a-f]{64}$/);
    expect(hash(null, { maxSpendUsd: '9' }, other)).toBe(hash(null));
    expect(hash(null, { nonce: 'fixed' })).toBe(hash(null));
  });

  it('moves with everything that changes a call', () => {
    const variants = [
      hash(CHAT),
      hash(CHAT, { seed: '2' }),
      hash(CHAT, { rateScale: '2' }),
      hash(CHAT, { duration: '30s' }),
      hash(`${CHAT}\ntimeouts: {idle: 3s}`),
      hash(CHAT.replace('rate', 'stream: 0.1, rate')),
    ];
    expect(new Set(variants).size).toBe(variants.length);
  });

  it('stands for equal calls', () => {
    const calls = () => {
      const { seed, scenarios } = resolve(null).plan.workload;
      return scenarios.flatMap((scenario) => [0, 1, 2].map((n) => planCall(seed, scenario, n)));
    };
    expect(calls()).toEqual(calls());
  });
});

describe('trialPlan', () => {
  it('is call 0 of each scenario, under a run of its own', () => {
    const { plan } = resolve(null, LOCAL);
    const trial = trialPlan(plan);
    expect(trial.run_id).toBe(`${plan.run_id}-trial`);
    expect(trial.plan_hash).not.toBe(plan.plan_hash);
    expect(trial.cap).toEqual(plan.cap);
    expect(trial.workload.scenarios.map(({ arrival }) => plannedStarts(arrival))).toEqual([1, 1, 1]);
    trial.workload.scenarios.forEach((scenario, index) => {
      const original = plan.workload.scenarios[index];
      if (original !== undefined) expect(planCall(1, scenario, 0)).toEqual(planCall(1, original, 0));
    });
  });
});

describe('the forecast', () => {
  it('multiplies the bounds out', () => {
    const { forecast } = resolve(
      'duration: 10s\ntraffic: [{kind: chat, rate: 1/s, prompt_tokens: 100, max_tokens: 50, max_in_flight: 3}]',
    );
    const [row] = forecast.scenarios;
    expect(row).toEqual({
      scenario: 'chat',
      calls: 10,
      input_tokens: 1_000,
      output_tokens: 500,
      // 10 × (100 × 0.0000001 + 50 × 0.0000004 + 0.000001)
      expected_usd: '0.00031',
      // 10 × ((500 + 1024) × 0.0000001 + 8192 × 0.0000004 + 0.000001)
      worst_case_usd: '0.034302',
      held_usd: '0.0102906',
    });
    expect(forecast.total).toMatchObject({ calls: 10, worst_case_usd: '0.034302' });
  });

  it('adds the same overhead to a prompt as the spend cap in Go', () => {
    const go = readFileSync(new URL('../../xk6/spend/cap.go', import.meta.url), 'utf8');
    expect(/OverheadTokens = (\d+)/.exec(go)?.[1]).toBe(String(OVERHEAD_TOKENS));
  });

  it('has no sum where one part is not priced', () => {
    const { forecast } = resolve(
      'traffic: [{kind: chat, rate: 1/s}, {kind: responses, rate: 1/s, model: free of price}]',
    );
    expect(forecast.scenarios.map(({ worst_case_usd }) => worst_case_usd === null)).toEqual([false, true]);
    expect(forecast.total.worst_case_usd).toBeNull();
  });

  it('expects no more than the worst case', () => {
    for (const row of resolve(null).forecast.scenarios) {
      const [expected, worst] = [row.expected_usd, row.worst_case_usd].map((usd) => parseAmount(usd ?? ''));
      expect(expected ?? null).not.toBeNull();
      expect((expected ?? 0n) <= (worst ?? -1n)).toBe(true);
    }
  });
});
