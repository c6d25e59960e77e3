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
  permission: { by: "true", until: 2026-12-31, max_rps: 3.5, max_in_flight: 9 }
duration: 1m30s
seed: 123456789012345
drain: 0s
timeouts: { connect: 250ms, headers: 1.005s, first_token: 90s, idle: 1h, total: 61m, task: 744h }
traffic:
  - { kind: chat, rate: 90/h, stream: 0.333333, prompt_tokens: 8, max_tokens: 1, model: 'a "b": c@d, ''e'' {f}' }
  - { kind: chat, name: "007", rate: 30/min }
  - { kind: messages, stages: [{ duration: 20s, rate: 4/s }, { duration: 1.5s, rate: 0/s }] }
  - { kind: image, rate: 0.001/s, size: auto, quality: high, response_format: b64_json }
  - { kind: image_edit_job, rate: 1/s, multipart: 0.25, max_in_flight: 1 }
  - { kind: video, rate: 1/s, size: 1920x1080, seconds: 8 }
models: { "12": { max_output: 5 }, "3": {}, "null": { max_output: 7 }, "- x: y": { max_output: 9 } }
objectives:
  - { kind: chat, measure: ttft_ms, percentile: 99.9, max: 800.5 }
  - { scenario: "007", measure: error_share, max: 0 }
tolerances: { min_checked: 0.5, gate: S1 }
settle: { wait: 1m, poll: 500ms }
spend: { max_usd: "2.00" }
`;

describe('formatConfig', () => {
  it('loads to the same values: default plan, bare file, and every key', () => {
    expectSame(loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags: {} }));
    expectSame(load('version: 1'));
    expectSame(load(FULL));
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

  it('says what it is, and neither a nonce nor a path of the machine', () => {
    const text = formatConfig(load(FULL, { nonce: 'n0nce' }));
    expect(text).toMatch(/^# .*\n(?:# .*\n)+version: 1$/m);
    expect(text).toContain('max_usd: "2.00"');
    expect(text).toContain('drain: 0s');
    expect(text).toContain('duration: 90s');
    expect(text).not.toContain('n0nce');
    expect(text).not.toContain(dir);
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
