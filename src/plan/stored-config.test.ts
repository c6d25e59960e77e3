import { describe, expect, it } from 'vitest';
import { formatConfig } from '../config/format-config.ts';
import type { ConfigFlags, RequestFlags } from '../config/settings.ts';
import { configOf, LOCAL, REMOTE, resolve } from './plan.test-support.ts';

const STAGES_AND_MODELS = `duration: 30s
traffic:
  - { kind: chat, rate: 1/s, model: 'a "b": c@d, e', stages: [{ duration: 7s, rate: 4/s }, { duration: 9s, rate: 0/s }] }
  - { kind: image_edit, name: "12", rate: 30/min, multipart: 0.25, quality: high }`;

const LOAD = `warm_up: 5s
calls_per_vu: 50
retry: { max_attempts: 3, jitter: 0 }
http: { rps: 40, hosts: { "gateway.example": "127.0.0.1:8443" } }
limits: { max_in_flight: 30, keep_credit: 0.8, stop: { share_5xx: 0.1 } }
models: { cheap: { max_in_flight: 20, max_usd: "0.50" } }
objectives: [{ kind: chat, measure: goodput_rate, min: 0.5 }]
traffic:
  - { kind: chat, rate: 1/s, arrival: gamma, burstiness: 0.25, max_calls: 9, max_usd: "0.20", watermark: 64, body: { temperature: 0.5, stop: null, tools: [{ type: x }] } }
  - { kind: chat, concurrency: 4, max_tokens_key: max_completion_tokens, abort: { share: 0.1, after: 1s }, session: { turns: { distribution: uniform, min: 1, max: 4 } } }
  - { kind: messages, rate: 1/s, prompt_tokens: { distribution: lognormal, mean: 200, stddev: 80 }, cached_share: 0.5 }`;

describe('a plan from the stored configuration of a run', () => {
  /** As a run stores it: without the text that `resolve` puts before. */
  function again(config: string, flags: ConfigFlags = {}) {
    return resolve(config.replace(/^version: 1\n/m, ''), flags);
  }

  it.each<[string, string | null, ConfigFlags & RequestFlags]>([
    ['the default plan', null, {}],
    ['the default plan, seeded, scaled and short', null, { seed: '7', rateScale: '2', duration: '20s' }],
    ['the default plan on an own target', null, { ...LOCAL, rateScale: '2' }],
    ["the default plan on somebody else's target", null, REMOTE],
    ['ramps', STAGES_AND_MODELS, { rateScale: '0.5' }],
    ['a load with limits', LOAD, LOCAL],
    ['a load with more in its requests', LOAD, { ...LOCAL, extra: ['a.b=[1]', 'stop=x'] }],
  ])('is the same: %s', (_name, yaml, flags) => {
    const first = resolve(yaml, flags);
    const stored = formatConfig(configOf(yaml, flags));
    const second = again(stored);
    expect(second.plan.plan_hash).toBe(first.plan.plan_hash);
    expect(second.plan.target).toEqual(first.plan.target);
    expect(second.plan.cap).toEqual(first.plan.cap);
    expect(second.plan.limits).toEqual(first.plan.limits);
  });

  it('keeps images and videos off on an own target, also where the run was on the embedded gateway', () => {
    const stored = formatConfig(configOf(null));
    expect(again(stored, LOCAL).plan.workload.scenarios.map(({ kind }) => kind)).toEqual([
      'chat',
      'responses',
      'messages',
    ]);
  });
});
