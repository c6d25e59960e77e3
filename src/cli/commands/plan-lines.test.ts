import { expect, test } from 'vitest';
import { DEFAULT_PLAN_FILE, loadConfig } from '../../config/load-config.ts';
import type { ConfigFlags } from '../../config/settings.ts';
import { parseAmount } from '../../core/amount.ts';
import { configOf, resolve } from '../../plan/plan.test-support.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { resolvePlan } from '../../plan/resolve-plan.ts';
import { planLines } from './plan-lines.ts';

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
  const worst = /worst case (\$\S+)$/.exec(uncapped.find((line) => line.startsWith('total: ')) ?? '')?.[1];
  expect(worst).toBeDefined();
  expect(uncapped).toContain(
    `cap none yet: a run needs --max-spend-usd of at least $${usd} to start, and of ${worst} to allow every call`,
  );
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

test('a nightly run is priced for 30 days, except where nobody pays', () => {
  const own = lines(null, OWN);
  const total = /^total: .*, expected \$(\S+), worst case \$(\S+)$/m.exec(own.join('\n'));
  const month = /^every night for 30 days: expected \$(\S+), worst case \$(\S+)$/m.exec(own.join('\n'));
  const times30 = (text: string | undefined) => (parseAmount(text ?? '') ?? 0n) * 30n;
  expect(times30(total?.[1])).toBeGreaterThan(0n);
  expect([1, 2].map((at) => parseAmount(month?.[at] ?? ''))).toEqual([
    times30(total?.[1]),
    times30(total?.[2]),
  ]);
  expect(lines(null).filter((line) => line.startsWith('every night'))).toEqual([]);
});

test('that texts are kept is told, and nothing of it where they are not', () => {
  const told = 'keeps the text of answers beside the ledger, readable by its owner alone';
  expect(lines('keep_text: true')).toContain(told);
  expect(lines(null)).not.toContain(told);
});

test('notes say that they are notes', () => {
  expect(lines(null, { duration: '10s' })).toContain(
    'note: messages: stages last 60 s, the run 10 s: the rest is cut',
  );
});

const LOADED = `duration: 2m
warm_up: 20s
cool_down: 10s
retry: { max_attempts: 3 }
limits: { max_in_flight: 20, keep_credit: 0.8, stop: { share_429: 0.1, share_5xx: 0.02 } }
models: { cheap: { max_in_flight: 9, max_usd: "0.50" } }
spend: { max_usd: "2.00" }
traffic:
  - { kind: chat, rate: 2/s, arrival: poisson, max_usd: "0.20", abort: { share: 0.015, after: 2s, after_events: 5 } }
  - { kind: chat, name: bursts, rate: 1/s, stages: [{ duration: 1m, rate: 3/s }], arrival: gamma, burstiness: 0.25 }
  - { kind: responses, concurrency: 4, watermark: 64, abort: { share: 0.5, after_events: 3 } }
  - { kind: messages, rate: 1/s, max_calls: 30, session: { turns: { distribution: uniform, min: 2, max: 5 }, think: 1s } }`;

test('arrivals, phases, caps, limits, retries and cuts are told', () => {
  const text = lines(LOADED);
  for (const line of [
    'starts calls for 2m, of which 90s are measured (warm-up 20s, cool-down 10s), then waits for those in flight, at most 10m',
    '  1.5 % cut after 2s or after 5 events',
    '  as many calls as the answers let through, at a cost that the spend cap alone bounds, padded by up to 63 tokens, 50 % of the streams cut after 3 events',
    'cap $2.00; of it at most: chat $0.20, model cheap $0.50',
    'in flight: at most 20 of all scenarios together',
    'in flight: at most 9 of model cheap',
    'stops when the remaining quota falls under 80 % of its value at the start',
    'stops when of the calls that ended in the last 30s, at least 20, more than 10 % are refused with 429 or 2 % end with a 5xx',
    'sends a call up to 3 times, which can be charged as often: waits 1s, each 2 times the one before, at most 30s',
  ])
    expect(text).toContain(line);
  const row = (name: string) => text.find((line) => line.startsWith(`${name} `)) ?? '';
  expect(row('chat')).toMatch(/^chat +240 {2}poisson with a mean of 2\/s +≤ 50 /);
  expect(row('bursts')).toMatch(/ gamma of burstiness 0\.25 with a mean of 1\/s to 3\/s /);
  expect(row('responses')).toMatch(/^responses +– {2}closed loop of 4 +4 +– +– +\$\S+ {2}/);
  expect(text[text.indexOf(row('messages')) + 1]).toMatch(/, at most 30 starts, sessions of 2 to 5 turns$/);
  expect(text).toContainEqual(
    expect.stringMatching(/^total: as many calls as the answers let through, at a cost that the spend cap/),
  );
});

test('a kind is one line where nothing sets it apart, its columns under their titles, and a model is told once', () => {
  const text = lines(null);
  const at = text.findIndex((line) => line.startsWith('scenario '));
  const table = text.slice(at, at + 9);
  expect(table.map((line) => line.split(' ')[0])).toEqual([
    'scenario',
    'chat',
    'responses',
    'messages',
    'image',
    'image_edit',
    'image_job',
    'image_edit_job',
    'video',
  ]);
  expect(new Set(table.map((line) => line.length)).size).toBe(1);
  expect(text[at + 9]).toMatch(/^model \S+ \(.+\): chat, responses, messages$/);
});

test('the default plan has no line of what it does not set', () => {
  const text = lines(null);
  expect(text).toContain('starts calls for 1m, then waits for those in flight, at most 10m');
  expect(text.filter((line) => /^(in flight|stops when|sends a call)/.test(line))).toEqual([]);
});

test('a limit on requests is named, and warned of where starts will wait for it', () => {
  const yaml = (rps: number) => `http: { rps: ${rps} }
traffic:
  - { kind: chat, rate: 10/s }`;
  expect(lines(yaml(50))).toContain('requests: at most 50/s, polls and downloads included');
  expect(lines(yaml(50)).join()).not.toContain('warning');
  expect(lines(yaml(5))).toContain(
    'warning: http.rps 5/s is below the planned peak of 10/s: starts will wait for it and be late',
  );
});

test('objectives stand there in words', () => {
  const yaml = `traffic:
  - { kind: chat, rate: 1/s }
objectives:
  - { kind: chat, measure: ttft_ms, percentile: 95, max: 800 }
  - { scenario: chat, measure: goodput_rate, min: 0.5 }
  - { scenario: chat, measure: usd_per_1000_good, max_usd: "1.5" }`;
  expect(lines(yaml).filter((line) => line.startsWith('objective: '))).toEqual([
    'objective: chat: ttft_ms p95 at most 800, else exit 4',
    'objective: chat: goodput_rate at least 0.5, else exit 4',
    'objective: chat: usd_per_1000_good at most $1.5, else exit 4',
  ]);
});

test('a scenario without a price leaves what the others cost in sight', () => {
  const yaml = `traffic:
  - { kind: chat, rate: 1/s }
  - { kind: messages, model: not-in-the-book, rate: 1/s }`;
  const alone = lines(`traffic:\n  - { kind: chat, rate: 1/s }`).find((line) => line.startsWith('total'));
  const cost = /expected \$\S+, worst case \$\S+/.exec(alone ?? '')?.[0] ?? 'no cost';
  expect(lines(yaml).find((line) => line.startsWith('total'))).toContain(
    `unpriced: messages without a price, all else ${cost}`,
  );
});

test('on a target without a bill the plan shows the YAML of its flags, and no word of money', () => {
  const flags = { ...OWN, rate: '3/s', model: 'm', stream: true };
  const config = loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags });
  const target = planTarget(config.target);
  if (target === null) throw new Error('expected a target');
  const now = Date.now();
  const request = { config, book: null, listedModels: null, runId: 'r', nonce: 'n', now };
  const text = planLines(resolvePlan({ ...request, target: { ...target, bill: 'none' } }), config).join('\n');
  expect(text).toMatch(/\n {2}traffic:\n {4}- name: chat\n {6}kind: chat\n {6}model: m\n {6}rate: 3\/s\n/);
  expect(text).toContain('--save FILE');
  expect(text).not.toMatch(/usd|\$|cap|price|cost|bill/i);
});
