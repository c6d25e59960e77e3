import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TRIAL_MAX_TOKENS, trialPlan } from '../app/run/run-trial.ts';
import type { ConfigFlags } from '../config/settings.ts';
import { parseAmount } from '../core/amount.ts';
import { plannedStarts } from '../workload/arrival.ts';
import { planCall } from '../workload/call-plan.ts';
import { objectiveOf } from '../workload/plan.test-support.ts';
import { OVERHEAD_TOKENS } from './forecast.ts';
import { CHAT, LOCAL, REMOTE, resolve } from './plan.test-support.ts';
import type { PlanRequest } from './resolve-plan.ts';

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
        reason: 'the spend cap cannot be kept: the price book has no entry for the model "free of price"',
      },
    ]);
    const none = resolve(CHAT, LOCAL, { listedModels: ['unknown'] });
    expect(none.plan.stopped[0]?.reason).toContain('no listed model of this kind is priced');
    expect(resolve(CHAT, LOCAL, { book: null }).plan.stopped[0]?.reason).toContain('no readable price book');
  });
});

describe('stages', () => {
  const STAGED =
    'traffic: [{kind: chat, rate: 1/s, stages: [{duration: 7s, rate: 2/s}, {duration: 5.5s, rate: 1/s}]}]';

  it('that go on after the end are cut, and a note says so', () => {
    expect(resolve(STAGED, { duration: '10s' }).notes).toEqual([
      'chat: stages last 12.5 s, the run 10 s: the rest is cut',
    ]);
    expect(resolve(STAGED, { duration: '12500ms' }).notes).toEqual([]);
    expect(resolve(null, { duration: '10s' }).notes).toEqual([
      'messages: stages last 60 s, the run 10 s: the rest is cut',
    ]);
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
      limit_obeyed: false,
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

  it('may be left open by one who asks what it must be, and stops what the run would stop', () => {
    const uncapped = resolve(
      `${CHAT.replace(']', '')}, {kind: responses, rate: 1/s, model: free of price}]`,
      { target: 'http://127.0.0.1:8080' },
      { cap: 'optional' },
    );
    expect(uncapped.plan.cap.max_spend_usd).toBeNull();
    expect(uncapped.plan.stopped.map(({ scenario }) => scenario)).toEqual(['responses']);
    expect(uncapped.forecast.total.held_usd).toMatch(/^\d+\.\d+$/);
    expect(resolve(CHAT, LOCAL, { cap: 'optional' }).plan.cap.max_spend_usd).toBe('2.00');
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
    const starts = plan.workload.scenarios.reduce(
      (sum, { arrival }) => sum + (plannedStarts(arrival) ?? 0),
      0,
    );
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
      objectiveOf({ scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 800 }),
      objectiveOf({ scenario: 'chat-2', measure: 'ttft_ms', percentile: 95, max: 800 }),
      objectiveOf({ scenario: 'image', measure: 'error_share', percentile: null, max: 0.01 }),
    ]);
  });

  it('carries an objective without a name to each scenario that can have its measure', () => {
    const yaml = `traffic: [{kind: chat, rate: 1/s}, {kind: chat, rate: 1/s, stream: 0}, {kind: image, rate: 1/s}]
objectives: [{measure: ttft_ms, percentile: 95, max: 800}, {measure: error_share, max: 0.01}]`;
    expect(resolve(yaml).plan.workload.objectives).toEqual([
      objectiveOf({ scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 800 }),
      ...['chat', 'chat-2', 'image'].map((scenario) =>
        objectiveOf({ scenario, measure: 'error_share', percentile: null, max: 0.01 }),
      ),
    ]);
  });

  it('says which entries of the file the flags of the calls stand in place of', () => {
    const two = 'traffic: [{kind: chat, rate: 1/s}, {kind: image, rate: 1/s}]';
    const replaced = expect.stringMatching(
      /^the flags of the calls stand in place of what .+ calls: chat, image$/,
    );
    expect(resolve(two, { ...LOCAL, rate: '2/s' }).notes).toContainEqual(replaced);
    const one = 'traffic: [{kind: chat, rate: 1/s}]';
    expect(resolve(one, { ...LOCAL, rate: '2/s' }).notes.join()).not.toContain('in place of');
  });
});

it('says which objective has nothing to judge', () => {
  const { plan, notes } = resolve('objectives: [{kind: video, measure: error_share, max: 0}]', LOCAL);
  expect(plan.workload.objectives).toEqual([]);
  expect(notes).toContain('the objective on error_share of video is not judged: nothing that has it runs');
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
      if (original === undefined) return;
      expect(planCall(1, scenario, 0)).toEqual({ ...planCall(1, original, 0), max_tokens: TRIAL_MAX_TOKENS });
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
      cacheable_tokens: 0,
      output_tokens: 500,
      // 10 × (100 × 0.0000001 + 50 × 0.0000004), without the guard that the worst case has against rounding
      expected_usd: '0.0003',
      // 10 × ((500 + 1024) × 0.0000001 + 8192 × 0.0000004 + 0.000001)
      worst_case_usd: '0.034302',
      call_usd: '0.0034302',
      held_usd: '0.0102906',
    });
    expect(forecast.total).toMatchObject({ calls: 10, worst_case_usd: '0.034302' });
  });

  it('notes of which calls the cap holds not one', () => {
    const traffic = 'traffic: [{kind: chat, rate: 1/s, prompt_tokens: 100, max_tokens: 50}]';
    const { notes } = resolve(traffic, { maxSpendUsd: '0.0034301' });
    expect(notes.join()).toContain('one can cost $0.0034302 at worst, the cap is $0.0034301');
    expect(resolve(traffic, { maxSpendUsd: '0.0034302' }).notes).toEqual([]);
  });

  it('expects of images and videos just what the book says', () => {
    const { forecast } = resolve(
      'duration: 24s\ntraffic: [{kind: image, rate: 1/s}, {kind: video, rate: 1/s}]',
    );
    const rows = forecast.scenarios.map(({ expected_usd, worst_case_usd }) => [expected_usd, worst_case_usd]);
    expect(rows).toEqual([
      ['1.2', '1.200024'],
      ['9.6', '9.600024'],
    ]);
    expect(forecast.total.expected_usd).toBe('10.8');
  });

  it('adds the same overhead to a prompt as the spend cap in Go', () => {
    const go = readFileSync(new URL('../../xk6/spend/bound.go', import.meta.url), 'utf8');
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
