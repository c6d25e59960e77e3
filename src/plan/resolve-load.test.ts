import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MARKER_BYTES } from '../workload/call-plan.ts';
import { NO_LIMITS, NO_RETRY, PLAIN_HTTP } from '../workload/plan.test-support.ts';
import { LOCAL, resolve } from './plan.test-support.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-load-'));
afterAll(() => rmSync(dir, { recursive: true }));

function scenarioOf(entry: string) {
  const [scenario] = resolve(`traffic: [{kind: chat, model: cheap, ${entry}}]`).plan.workload.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return scenario;
}

describe('the workload', () => {
  it('sends nothing again, excludes nothing and isolates calls where nothing is said', () => {
    const { workload, limits, cap } = resolve(null).plan;
    expect(workload).toMatchObject({
      warm_up_ms: 0,
      cool_down_ms: 0,
      calls_per_vu: 1,
      retry: NO_RETRY,
      http: PLAIN_HTTP,
    });
    expect(limits).toEqual(NO_LIMITS);
    expect([cap.by_scenario, cap.by_model]).toEqual([{}, {}]);
    expect(workload.scenarios.map(({ abort }) => abort)).toEqual(workload.scenarios.map(() => null));
  });

  it('keeps no text unless it is asked to, and plans the same calls either way', () => {
    const [plain, keeping] = [resolve(null).plan, resolve('keep_text: true').plan];
    expect([plain.keep_text, keeping.keep_text]).toEqual([false, true]);
    expect(keeping.plan_hash).toBe(plain.plan_hash);
  });

  it('has phases, retries and connections as configured, and the hash stands for them', () => {
    const base = 'traffic: [{kind: chat, rate: 1/s}]';
    const more = [
      'warm_up: 5s',
      'cool_down: 5s',
      'calls_per_vu: 50',
      'retry: {max_attempts: 2, first_wait: 3s, factor: 1.5, max_wait: 9s, jitter: 0}',
      'http: {rps: 7, reuse: none, dns: {ttl: "0"}, hosts: {a.example: 127.0.0.1}, tls_min: tls1.3, http2: false}',
    ];
    const { workload } = resolve(`${more.join('\n')}\n${base}`).plan;
    expect(workload).toMatchObject({
      warm_up_ms: 5_000,
      cool_down_ms: 5_000,
      calls_per_vu: 50,
      retry: { max_attempts: 2, first_wait_ms: 3_000, factor: 1.5, max_wait_ms: 9_000, jitter: 0 },
      http: {
        ...PLAIN_HTTP,
        rps: 7,
        http2: false,
        reuse: 'none',
        dns: { ...PLAIN_HTTP.dns, ttl: '0' },
        hosts: { 'a.example': '127.0.0.1' },
        tls_min: 'tls1.3',
      },
    });
    const hashes = ['', ...more].map((line) => resolve(`${line}\n${base}`).plan.plan_hash);
    expect(new Set(hashes).size).toBe(more.length + 1);
  });

  it('keeps limits and caps out of the hash: they plan no call', () => {
    const plain = resolve('traffic: [{kind: chat, rate: 1/s, model: cheap}]', LOCAL).plan;
    const limited = resolve(
      `limits: {max_in_flight: 9, keep_credit: 0.8, stop: {over: 5s, min_calls: 3, share_5xx: 0.5}}
models: {cheap: {max_in_flight: 4, max_usd: "0.50"}, dear: {max_usd: "9"}}
traffic: [{kind: chat, rate: 1/s, model: cheap, max_usd: "0.20"}]`,
      LOCAL,
    ).plan;
    expect(limited.plan_hash).toBe(plain.plan_hash);
    expect(limited.limits).toEqual({
      max_in_flight: 9,
      max_in_flight_by_model: { cheap: 4 },
      keep_credit_share: 0.8,
      stop: { over_ms: 5_000, min_calls: 3, share_429: null, share_5xx: 0.5 },
    });
    expect(limited.cap).toMatchObject({
      max_spend_usd: '2.00',
      by_scenario: { chat: '0.20' },
      by_model: { cheap: '0.50' },
    });
    expect(limited.cap.bounds.map(({ limit_obeyed }) => limit_obeyed)).toEqual([false]);
  });

  it('stops a scenario with a cap of its own that no price bounds, on the embedded gateway too', () => {
    const { plan } = resolve('traffic: [{kind: chat, rate: 1/s, model: free of price, max_usd: "1"}]');
    expect(plan.workload.scenarios).toEqual([]);
    expect(plan.stopped[0]?.reason).toContain('the spend cap cannot be kept');
  });
});

describe('a scenario', () => {
  it('has its arrival', () => {
    expect(scenarioOf('rate: 2/s, arrival: gamma, burstiness: 0.5, max_calls: 9').arrival).toMatchObject({
      process: 'gamma',
      burstiness: 0.5,
      max_calls: 9,
    });
    const loop = scenarioOf('concurrency: 80');
    expect(loop).toMatchObject({ max_in_flight: 80, arrival: { concurrency: 80 } });
    expect(loop.arrival.stages).toEqual([{ duration_ms: 60_000, from_millirate: 0, to_millirate: 0 }]);
  });

  it('has its sizes as tables, its session, its cuts and its common beginning', () => {
    const { text, abort } = scenarioOf(
      `rate: 1/s, cached_share: 0.25, abort: {share: 0.1, after: 2s},
       prompt_tokens: {distribution: uniform, min: 10, max: 12}, max_tokens: {distribution: normal, mean: 50, stddev: 0},
       session: {turns: {distribution: uniform, min: 1, max: 3}, think: {distribution: uniform, min: 1ms, max: 2ms}}`,
    );
    expect(text).toMatchObject({
      prompt_bytes: [50, 55, 60],
      max_tokens: 50,
      cached_share: 0.25,
      session: { turns: [1, 2, 3], think_ms: [1, 2] },
      watermark: null,
    });
    expect(abort).toEqual({ share: 0.1, after_ms: 2_000, after_events: null });
  });

  it('takes its prompts from a file, whose texts stay out of the plan', () => {
    const file = join(dir, 'prompts.txt');
    writeFileSync(file, 'a private question\nanother one\n');
    const { plan, forecast } = resolve(
      `duration: 4s\ntraffic: [{kind: chat, rate: 1/s, prompts: {file: ${file}, order: random}, max_tokens: 10}]`,
    );
    expect(plan.workload.scenarios[0]?.text).toMatchObject({
      prompt_bytes: MARKER_BYTES + 18,
      prompts: { path: file, count: 2, max_bytes: 18, order: 'random' },
    });
    expect(JSON.stringify(plan)).not.toContain('private');
    expect(forecast.total).toMatchObject({
      calls: 4,
      input_tokens: Math.round((2 * (18 + 11) + 4 * MARKER_BYTES) / 5),
    });
  });

  it('shares the counter of its watermark with the others of its model', () => {
    const { plan } = resolve(
      'traffic: [{kind: chat, rate: 1/s, watermark: 64}, {kind: messages, rate: 1/s, watermark: {modulus: 32}}]',
    );
    expect(plan.workload.scenarios.map(({ text }) => text?.watermark)).toEqual([
      { modulus: 64, of: 2, first: 0 },
      { modulus: 64, of: 2, first: 1 },
    ]);
  });
});
