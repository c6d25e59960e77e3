import { afterEach, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import { latencyOf } from '../latency/latency-preset.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const CHAT = '/v1/chat/completions';
const CUT = { 'x-weighbridge-fault': 'net.eof_clean; after_events=20' };
/** Nothing is answered before the client leaves. */
const NEVER = { kind: 'fixed', ms: 600_000 } as const;

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string, wait?: typeof NEVER): Promise<TestGateway> {
  const latency = wait === undefined ? 'fast' : { ...latencyOf('fast'), ttft: wait, image: wait };
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }), latency });
  return gateway;
}

/** The text of a stream that was cut, and its record. */
async function cutStream(readings: string): Promise<{ text: string; record: UsageRecord | undefined }> {
  const on = await start(readings);
  const answer = await on.call('POST', CHAT, chatBody({ max_tokens: 60, stream: true }), CUT);
  const text = [...answer.text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
  const [record] = await on.records();
  return { text, record };
}

test.each([true, false])('a cut stream is charged by an estimate, flagged: %s', async (flagged) => {
  const { text, record } = await cutStream(`cut_stream: estimate\ncut_flagged: ${flagged}\n`);
  expect(text.length).toBeGreaterThan(20);
  expect(record).toMatchObject({
    result: 'incomplete',
    output_tokens: Math.ceil(text.length / 4),
    usage_estimated: flagged,
  });
});

test('a cut stream is charged by what was sent, or whole', async () => {
  const { record: sent } = await cutStream('cut_stream: sent\n');
  await gateway?.running.close();
  const { record: whole } = await cutStream('cut_stream: whole\n');
  expect(sent?.output_tokens).toBeLessThan(whole?.output_tokens ?? 0);
  expect(whole?.result).toBe('incomplete');
});

test.each([
  [CHAT, chatBody({ max_tokens: 40 })],
  [CHAT, chatBody({ max_tokens: 40, stream: true })],
  ['/v1/images/generations', { model: 'lumen-image', prompt: 'x' }],
])('a call that its client left is charged whole: %s %j', async (path, body) => {
  const on = await start('cancelled_call: charged\n', NEVER);
  const { base_url, api_key } = on.running.ready;
  const left = new AbortController();
  const answer = fetch(base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: left.signal,
  }).then(
    () => null,
    () => null,
  );
  await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('pending');
  left.abort();
  await answer;
  await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('settled');
  const [record] = await on.records();
  expect(record?.result).toBe('cancelled');
  expect(record?.amount).not.toBe('0');
});

test.each([
  ['free', 'refunded', 'failed'],
  ['charged', 'settled', 'completed'],
])('every eighth answer is lost: %s', async (reading, status, result) => {
  const on = await start(`lost_answer: ${reading}\n`);
  const seen: number[] = [];
  for (let call = 0; call < 9; call += 1) {
    const answer = await on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
    seen.push(answer.status);
    if (answer.status === 500) expect(answer.json).toMatchObject({ error: { code: 'upstream_error' } });
  }
  expect(seen).toEqual([200, 200, 200, 200, 200, 200, 200, 500, 200]);
  const [, lost, before] = await on.records();
  expect(lost).toMatchObject({ billing_status: status, result });
  expect(lost?.amount).toBe(reading === 'free' ? '0' : before?.amount);
});
