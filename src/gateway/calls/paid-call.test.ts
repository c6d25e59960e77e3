import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseAmount } from '../../core/amount.ts';
import { SECONDS_PER_DAY, utcDay } from '../../core/time.ts';
import { latencyOf } from '../latency/latency-preset.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const CHAT = '/v1/chat/completions';
const HOUR_S = 3600;
const ticket = z.object({ created_at: z.number() });

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  const wait = { kind: 'fixed', ms: 400 } as const;
  gateway = await startTestGateway({
    readings: readReadings({ text, file: 'readings.yaml' }),
    latency: { ...latencyOf('fast'), ttft: wait, video_run: wait },
  });
  return gateway;
}

describe('a record dated by the answer', () => {
  test('moves to the end of a text call', async () => {
    const on = await start('created_at: answered\n');
    const answer = on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
    await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('pending');
    const [pending] = await on.records();
    await on.control('POST', '/clock', { advance_s: HOUR_S });
    await answer;
    const [settled] = await on.records();
    expect(settled?.billing_status).toBe('settled');
    expect(settled?.created_at).toBeGreaterThanOrEqual((pending?.created_at ?? 0) + HOUR_S);
  });

  test('stays where a task was accepted', async () => {
    const on = await start('created_at: answered\n');
    const { json } = await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
    await on.control('POST', '/clock', { advance_s: HOUR_S });
    await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('settled');
    expect((await on.records())[0]?.created_at).toBe(ticket.parse(json).created_at);
  });
});

test('a clock that is off dates records and tasks', async () => {
  const on = await start('clock_offset_s: 300\n');
  const { json } = await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
  const { created_at } = ticket.parse(json);
  expect(created_at).toBeGreaterThan(Date.now() / 1000 + 100);
  expect((await on.records())[0]?.created_at).toBe(created_at);
});

test.each([
  ['acceptance', 1n, 0],
  ['settlement', 2n, 1],
])('prices that double meanwhile: charged by the edition of the %s', async (reading, times, version) => {
  const changes = 'book_changes: [{ after_calls: 1, factor: "2" }, { after_calls: 2, factor: "0.5" }]';
  const on = await start(`price_edition: ${reading}\n${changes}\n`);
  await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x', seconds: '4', size: '1280x720' });
  await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('settled');
  const [record] = await on.records();
  const reserved = parseAmount(record?.reserved_amount ?? '') ?? 0n;
  expect(reserved).toBeGreaterThan(0n);
  expect(parseAmount(record?.amount ?? '')).toBe(reserved * times);
  const versions = z.object({ versions: z.array(z.object({ pricing_version: z.string() })) });
  const all = versions.parse((await on.control('GET', '/prices')).json).versions;
  expect(record?.pricing_version).toBe(all[version]?.pricing_version);
});

test.each([
  ['created', 0],
  ['settled', 1],
])('totals by the day in which a call %s', async (reading, later) => {
  const on = await start(`totals_day: ${reading}\n`);
  const answer = on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
  await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('pending');
  await on.control('POST', '/clock', { advance_s: SECONDS_PER_DAY });
  await answer;
  const [record] = await on.records();
  const date = utcDay((record?.created_at ?? 0) + later * SECONDS_PER_DAY);
  expect((await on.call('GET', '/v1/usage')).json).toMatchObject({ daily: [{ date, records: 1 }] });
});
