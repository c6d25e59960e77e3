import { expect, test } from 'vitest';
import { DEFAULT_PLAN_FILE } from '../../config/load-config.ts';
import type { ConfigFlags } from '../../config/settings.ts';
import { configOf, resolve } from '../../plan/plan.test-support.ts';
import { planLines } from './plan.ts';

function lines(yaml: string | null, flags: ConfigFlags = {}): string[] {
  return planLines(resolve(yaml, flags, { cap: 'optional' }), configOf(yaml, flags));
}

const OWN = { target: 'http://127.0.0.1:8080' };

test('the cap is the one given, none on the embedded gateway, and else what a run needs', () => {
  const uncapped = lines(null, OWN);
  const held = uncapped.find((line) => line.startsWith('held at once')) ?? '';
  const usd = /^held at once: at most \$(\d+\.\d+), the worst case of the calls that can be in flight/.exec(
    held,
  )?.[1];
  expect(usd).toBeDefined();
  expect(uncapped).toContain(`cap none yet: a run needs --max-spend-usd of at least $${usd}`);
  expect(lines(null, { ...OWN, maxSpendUsd: '2.00' })).toContain('cap $2.00');
  expect(lines(null)).toContain('cap none (embedded gateway)');
});

test('only values that somebody set are listed, each with its value', () => {
  expect(lines(null).slice(-2)).toEqual(['configuration: the default plan', '  everything else: default']);
  const yaml = `traffic:
  - { kind: chat, rate: 90/min, stages: [{ duration: 90s, rate: 2/s }] }
models: { "a b": { max_output: 5 } }
target: { permission: { by: ops, until: 2026-12-31, max_rps: 9, max_in_flight: 99 } }
spend: { max_usd: "2.00" }
settle: { poll: 500ms }`;
  const text = lines(yaml, { ...OWN, duration: '120s', rateScale: '2', nonce: 'n1' });
  const start = text.findIndex((line) => line.startsWith('configuration: '));
  expect(text[start]).toMatch(/^configuration: \/.*weighbridge\.yaml$/);
  expect(text[start]).not.toContain(DEFAULT_PLAN_FILE);
  expect(text.slice(start + 1).sort()).toEqual(
    [
      '  traffic = a list of 1 (file)',
      '  traffic[0].rate = 1.5/s (file)',
      '  traffic[0].stages = [{duration: 90s, rate: 2/s}] (file)',
      '  models["a b"].max_output = 5 (file)',
      '  target.url = http://127.0.0.1:8080 (flag)',
      '  target.permission = {by: ops, until: 2026-12-31, max_rps: 9, max_in_flight: 99} (file)',
      '  spend.max_usd = 2.00 (file)',
      '  settle.poll = 500ms (file)',
      '  duration = 2m (flag)',
      '  rate_scale = 2 (flag)',
      '  nonce = n1 (flag)',
      '  everything else: default',
    ].sort(),
  );
});

test('notes say that they are notes', () => {
  expect(lines(null, { duration: '10s' })).toContain(
    'note: messages: stages last 60 s, the run 10 s: the rest is cut',
  );
});
