import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { formatConfig } from './format-config.ts';
import { DEFAULT_PLAN_FILE, loadConfig } from './load-config.ts';
import { LONGEST_MODEL_ID } from './model-id.ts';
import { formatRate } from './rate.ts';
import type { ResolvedConfig } from './resolved-config.ts';
import type { ConfigFlags } from './settings.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-format-'));
afterAll(() => rmSync(dir, { recursive: true }));

let files = 0;
function load(text: string, flags: ConfigFlags = {}): ResolvedConfig {
  files += 1;
  const file = join(dir, `${files}.yaml`);
  writeFileSync(file, text);
  return loadConfig({ file, env: {}, flags });
}

/** All that decides what is called and how it is judged. */
function values(config: ResolvedConfig) {
  const { file: _file, origins: _origins, nonce: _nonce, ...rest } = config;
  return rest;
}

function expectSame(config: ResolvedConfig): void {
  expect(values(load(formatConfig(config)))).toEqual(values(config));
}

const FULL = `version: 1
target:
  url: https://gateway.example:8443/base/v1
  name: 'Ours: "the" gateway, #1'
  key: exclusive
  tokenizer: o200k
  stream_end: finish_reason
  headers: { x-tenant: "blue: team", authorization: env:TOKEN }
  permission: { by: "true", until: 2026-12-31, max_rps: 3.5, max_in_flight: 9 }
  budget: { usd_per_hour: "1", usd_per_day: "2.50", usd_per_month: "40" }
duration: 1m30s
seed: 123456789012345
drain: 0s
warm_up: 5s
cool_down: 2500ms
calls_per_vu: 100
keep_text: true
retry: { max_attempts: 4, first_wait: 250ms, factor: 1.5, max_wait: 1m, jitter: 0 }
http:
  rps: 40
  debug: headers
  http2: false
  reuse: none
  dns: { ttl: "0", select: roundRobin, policy: onlyIPv6 }
  hosts: { "gateway.example": "127.0.0.1:8443", "*.other.example": "::1" }
  insecure_skip_tls_verify: true
  tls_min: tls1.3
limits: { max_in_flight: 30, keep_credit: 0.8, stop: { over: 90s, min_calls: 7, share_429: 0.25, share_5xx: 0 } }
timeouts: { connect: 250ms, headers: 1.005s, first_token: 90s, idle: 1h, total: 61m, task: 744h }
traffic:
  - { kind: chat, rate: 90/h, stream: 0.333333, prompt_tokens: 8, max_tokens: 1, model: 'a "b": c@d, ''e'' {f}' }
  - { kind: chat, name: "007", rate: 30/min }
  - { kind: messages, stages: [{ duration: 20s, rate: 4/s }, { duration: 1.5s, rate: 0/s }] }
  - { kind: image, rate: 0.001/s, size: auto, quality: high, response_format: b64_json }
  - { kind: image_edit_job, rate: 1/s, multipart: 0.25, max_in_flight: 1 }
  - { kind: chat, rate: 1/s, arrival: gamma, burstiness: 0.25, max_calls: 9, max_usd: "0.20", cached_share: 0.5 }
  - { kind: responses, concurrency: 4, watermark: 64, abort: { share: 0.01, after: 1500ms, after_events: 3 } }
  - { kind: chat, concurrency: 4, max_in_flight: 8, prompts: { file: texts/p.ndjson, order: random } }
  - kind: messages
    rate: 1/s
    arrival: poisson
    prompt_tokens: { distribution: lognormal, mean: 300.5, stddev: 120, max: 4000 }
    max_tokens: { distribution: uniform, min: 10, max: 90 }
    session: { turns: { distribution: normal, mean: 4, stddev: 1, min: 2 }, think: { distribution: lognormal, mean: 2s, stddev: 500ms, max: 1m } }
  - { kind: video, rate: 1/s, size: 1920x1080, seconds: 8 }
models: { "12": { max_output: 5, max_in_flight: 4, max_usd: "0.10" }, "3": {}, "null": { max_output: 7 }, "- x: y": { max_output: 9 } }
objectives:
  - { kind: chat, measure: ttft_ms, percentile: 99.9, max: 800.5 }
  - { scenario: "007", measure: error_share, max: 0 }
  - { kind: chat, measure: goodput_rate, min: 0.5 }
  - { kind: messages, measure: attainment_share, min: 0.99 }
  - { kind: messages, measure: usd_per_1000_good, max_usd: "1.50" }
tolerances: { min_checked: 0.5, gate: S1, gate_usd: "0.01", gate_classes: [duplicate_charge, token_mismatch] }
accept:
  - { cause: "duplicate_charge:twice", up_to_usd: "1.50", until: 2026-12-31, by: Ada, why: "yes: known" }
claims: { minimum_usd: "1.00" }
billing:
  book: { adapter: mapping, file: /books/prices.yaml, mapping: /books/mapping.yaml }
  group: "1"
  agreed:
    - { name: "yes", models: ["aspen*", "12"], endpoints: [chat, image_job], from: 2026-10-01, until: "2027-01-01T06:30:00Z", factor: "0.80" }
    - { name: own, models: [b], prices: { input: "4.50", video_second: "0" }, rounding: { quantum: "0.000001", mode: ceil } }
    - { name: least, models: [b], minimum: { amount: "0.01", applies: always, zero_tokens: minimum } }
  readings: { amount: gross, input_tokens: without_cache, created_at: settlement, output_tokens: with_reasoning, rounding: half_even/0.000001, totals_settled: final_amount, totals_pending: amount, totals_refunded: all, status: { released: refunded, "12": pending } }
  policy: { empty_output: free, server_error: charged, aborted: unsaid }
  deadlines: { text: 20m, task: 48h, refund: 1500ms, class: { unrecorded_request: 1h, late_posting: 0s } }
  cache: { lifetime: 5m, least_tokens: 1024, block_tokens: 128, promised: true }
settle: { wait: 1m, poll: 500ms }
archive: { days: 30 }
spend: { max_usd: "2.00" }
metrics: { remote_write: { url: "https://metrics.example/api/v1/write", username: "12", password: "file:/run/secrets/push" } }
`;

describe('formatConfig', () => {
  it('loads to the same values: default plan, bare file, and every key', () => {
    expectSame(loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags: {} }));
    expectSame(load('version: 1'));
    expectSame(load(FULL));
  });

  it('loads to the same trace', () => {
    expectSame(load('version: 1\ntrace: { file: day.csv }'));
    expectSame(
      load(
        'version: 1\nrate_scale: "0.5"\ntrace: { file: /day.ndjson, columns: { at_s: begin, max_tokens: "o \\"u" }, speed: 2.5, kind: chat, model: m, max_in_flight: 7, stream: 1, prompt_tokens: 9, max_tokens: { distribution: uniform, min: 1, max: 5 } }',
      ),
    );
  });

  it('holds what flags set', () => {
    const flags = {
      target: 'http://127.0.0.1:1/v1',
      maxSpendUsd: '1.50',
      duration: '10s',
      rateScale: '0.2',
      seed: '9',
    };
    for (const text of ['version: 1', FULL.replace('0.001/s', '0.005/s')]) {
      const config = load(text, flags);
      expectSame(config);
      const again = load(formatConfig(config));
      expect([again.seed, again.duration_ms, again.spend.max_usd, again.rate_scale]).toEqual([
        9,
        10_000,
        '1.50',
        '0.2',
      ]);
    }
    expect(load(formatConfig(load('version: 1', flags))).traffic[0]?.millirate).toBe(500);
  });

  it('lets nobody ask for the default traffic who did not', () => {
    const again = load(formatConfig(load('version: 1')));
    expect(again.default_traffic).toBe(true);
    expect(formatConfig(load('version: 1'))).toMatch(/^# {5}- name: video$/m);
    expect(load(formatConfig(load(FULL))).default_traffic).toBe(false);
  });

  it('names a tokenizer by its absolute path', () => {
    const config = load('version: 1\nkeep_text: true\ntarget: { tokenizer: small.json }');
    expect(config.target.tokenizer).toBe(join(dir, 'small.json'));
    expectSame(config);
  });

  it('says what it is, and neither a nonce nor a path of the machine', () => {
    const text = formatConfig(load(FULL, { nonce: 'n0nce' }));
    expect(text).toMatch(/^# .*\n(?:# .*\n)+version: 1$/m);
    expect(text).toContain('max_usd: "2.00"');
    expect(text).toContain('drain: 0s');
    expect(text).toContain('duration: 90s');
    expect(text).not.toContain('n0nce');
    // A file that the traffic draws on is named in full, wherever the configuration is copied to.
    expect(text.replaceAll(`file: ${dir}/texts`, '')).not.toContain(dir);
  });

  it.each(['http://h/v1/v1', 'http://h/api/v1', 'http://h/v1/api', 'http://h/', 'http://[::1]:8080/x/api'])(
    'keeps the bases of %s',
    (target) => expectSame(load('version: 1', { target })),
  );

  it('keeps any model id and any exact rate', () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule of model ids
      .filter((text) => !/[\u0000-\u001f\u007f]/.test(text) && [...text].length <= LONGEST_MODEL_ID)
      .filter((text) => text !== '__proto__');
    const scale = fc.constantFrom('1', '2', '0.5', '1.25', '10');
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 1e6 }), scale, (model, rate, rateScale) => {
        const quoted = JSON.stringify(model);
        const config = load(
          `version: 1\ntraffic: [{kind: chat, rate: ${formatRate(rate * 4)}, model: ${quoted}}]\nmodels: {${quoted}: {max_output: 5}}`,
          { rateScale },
        );
        expectSame(config);
      }),
      { numRuns: 60 },
    );
  });
});
