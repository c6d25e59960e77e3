import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LineFlags } from './line-traffic.ts';
import { type ConfigRequest, DEFAULT_PLAN_FILE, loadConfig } from './load-config.ts';

function line(flags: LineFlags & ConfigRequest['flags'], more: Partial<ConfigRequest> = {}) {
  return loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags, ...more });
}

function fileOf(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'wb-line-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'weighbridge.yaml'), text);
  return join(dir, 'weighbridge.yaml');
}

test('flags stand for one entry of the traffic, and each value tells that a flag set it', () => {
  const file = fileOf('version: 1\ntraffic: [{kind: messages, rate: 9/s}, {kind: chat, rate: 1/s}]\n');
  const flags = { rate: '5/s', model: 'm', stream: true, promptTokens: '300', maxTokens: '20' };
  const config = line(flags, { file });
  expect(config.traffic).toHaveLength(1);
  expect(config.traffic[0]).toMatchObject({
    name: 'chat',
    kind: 'chat',
    model: 'm',
    millirate: 5_000,
    text: { stream_share: 1, prompt_tokens: 300, max_tokens: 20 },
  });
  expect(config.default_traffic).toBe(false);
  expect(config.origins).toMatchObject({
    traffic: 'flag',
    'traffic[0].rate': 'flag',
    'traffic[0].stream': 'flag',
    'traffic[0].arrival': 'default',
  });
});

test('flags about the calls alone have the pace that no target needs a permission for', () => {
  expect(line({ model: 'm' }).traffic[0]).toMatchObject({ millirate: 2_000, concurrency: null });
  expect(line({ stream: false }).traffic[0]?.text?.stream_share).toBe(0);
  expect(line({}).default_traffic).toBe(true);
});

test('a count of calls ends the run, whatever the pace', () => {
  const counted = line({ requestCount: '100', rate: '8/s' });
  expect(counted).toMatchObject({ duration_ms: 12_500, traffic: [{ max_calls: 100, millirate: 8_000 }] });
  expect(line({ requestCount: '100', concurrency: '20' })).toMatchObject({
    duration_ms: 3_600_000,
    traffic: [{ max_calls: 100, concurrency: 20, millirate: 0 }],
  });
  expect(line({ requestCount: '7' }).traffic[0]).toMatchObject({ max_calls: 7, concurrency: 1 });
  expect(line({ requestCount: '7', duration: '5s' }).duration_ms).toBe(5_000);
});

test('a file of prompts is found from where the command runs', () => {
  const { text } = line({ promptFile: 'asked.txt' }, { cwd: '/somewhere' }).traffic[0] ?? {};
  expect(text?.prompts?.file).toBe('/somewhere/asked.txt');
});

test('over the only entry of a file a flag changes what it names, and nothing else', () => {
  const file = fileOf(
    'version: 1\nduration: 5s\ntraffic: [{kind: chat, model: m, rate: 3/s, max_tokens: 40, prompt_tokens: 60, body: {temperature: 0}}]\n',
  );
  const body = { temperature: 0 };
  const of = (flags: LineFlags) => {
    const { traffic, duration_ms } = line(flags, { file });
    return { ...traffic[0], duration_ms };
  };
  expect(of({ stream: true })).toMatchObject({
    ...{ model: 'm', millirate: 3_000, body, duration_ms: 5_000 },
    text: { stream_share: 1, max_tokens: 40, prompt_tokens: 60 },
  });
  expect(of({ concurrency: '4' })).toMatchObject({ concurrency: 4, millirate: 0, body });
  expect(of({ requestCount: '9' })).toMatchObject({ max_calls: 9, millirate: 3_000, duration_ms: 5_000 });
  expect(of({ kind: 'messages' })).toMatchObject({ kind: 'messages', model: null, millirate: 2_000 });
});

test('many calls at once share virtual users', () => {
  expect(line({ concurrency: '2000' }).calls_per_vu).toBe(100);
  expect(line({ concurrency: '100' }).calls_per_vu).toBe(1);
});

test.each<[LineFlags, RegExp]>([
  [{ rate: 'fast' }, /--rate: must be a rate such as "4\/s"/],
  [{ rate: '5/s', concurrency: '2' }, /--rate: does not go with concurrency/],
  [{ concurrency: 'x' }, /--concurrency: must be a/],
  [{ requestCount: '0', rate: '1/s' }, /--request-count: must be/],
  [{ promptTokens: '1' }, /--prompt-tokens: must be a whole number of tokens from 8/],
  [{ kind: 'image', maxTokens: '5' }, /--max-tokens: belongs to chat, responses, messages/],
])('names the flag that is wrong in %o', (flags, message) => {
  expect(() => line(flags)).toThrow(message);
});

test('no flag of the calls goes with a trace', () => {
  const file = fileOf('version: 1\ntrace: {file: t.csv}\n');
  expect(() => line({ model: 'm' }, { file })).toThrow(/does not go|no flag of the calls goes with trace/);
});

test('a number alone is calls per second, and seconds', () => {
  const config = line({ rate: '2.5', duration: '15' });
  expect(config).toMatchObject({ duration_ms: 15_000, traffic: [{ millirate: 2_500 }] });
  expect(() => line({ rate: 'fast' })).toThrow(/--rate: must be a rate/);
});
