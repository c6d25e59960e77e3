import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { JournalCall, JournalFault, JournalLine } from '../../contracts/journal.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import type { FaultPlan } from './fault-plan.ts';

const CHAT = '/v1/chat/completions';
const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });

let gateway: TestGateway | null = null;

afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(...faults: FaultPlan['faults'][number][]): Promise<TestGateway> {
  gateway = await startTestGateway({ faults: { faults } });
  return gateway;
}

async function journal(of: TestGateway): Promise<{ calls: JournalCall[]; faults: JournalFault[] }> {
  const all = lines.parse((await of.control('GET', '/journal')).json).lines;
  return {
    calls: all.filter((line) => line.type === 'call'),
    faults: all.filter((line) => line.type === 'fault'),
  };
}

test('double charge: two settled records for one request, the journal says by how much', async () => {
  const on = await start({ fault: 'bill.double_charge', when: { nth: 2 }, parameters: {} });
  for (let call = 0; call < 3; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 5 }));
  const records = await on.records();
  const { calls, faults } = await journal(on);
  expect(records).toHaveLength(4);
  expect(faults).toHaveLength(1);
  const [fault] = faults;
  const doubled = records.filter((record) => record.request_id === fault?.request_id);
  expect(doubled).toHaveLength(2);
  expect(doubled.map(({ amount, billing_status }) => [amount, billing_status])).toEqual([
    [fault?.delta, 'settled'],
    [fault?.delta, 'settled'],
  ]);
  expect(fault).toMatchObject({ fault: 'bill.double_charge', ordinal: 2, parameters: {} });
  const total = records.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n);
  const journaled = calls.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n);
  expect(journaled).toBe(total);
  expect((await on.call('GET', '/v1/usage')).json).toMatchObject({
    settled_amount: formatAmount(total),
    records: 4,
  });
});

test('a double charge of a task falls due when the task is settled', async () => {
  const on = await start({ fault: 'bill.double_charge', when: { probability: 1 }, parameters: {} });
  await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
  await expect.poll(async () => (await on.records()).map(({ amount }) => amount)).toEqual(['0.4', '0.4']);
});

test.each([
  ['net.eof_clean', true],
  ['net.fin_mid', false],
])('%s: that many events, charged by what was written', async (fault, cleanEnd) => {
  const on = await start({ fault, when: { nth: 1 }, parameters: { after_events: 4 } });
  const cut = await on.call('POST', CHAT, chatBody({ stream: true })).catch(() => null);
  expect(cut !== null).toBe(cleanEnd);
  if (cut !== null) expect(cut.text.match(/^data: /gm)).toHaveLength(4);
  await expect
    .poll(() => on.records())
    .toMatchObject([
      // One event carries the role, each of the others one token.
      { billing_status: 'settled', result: 'incomplete', usage_estimated: true, output_tokens: 3 },
    ]);
  const { calls, faults } = await journal(on);
  expect(faults).toMatchObject([{ fault, delta: '0', parameters: { after_events: 4 } }]);
  expect(calls).toMatchObject([{ events: 4, request_id: faults[0]?.request_id }]);
  const whole = await on.call('POST', CHAT, chatBody({ stream: true }));
  expect(whole.text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('a cut before any text refunds the call', async () => {
  const on = await start({ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 1 } });
  await on.call('POST', CHAT, chatBody({ stream: true }));
  await expect
    .poll(() => on.records())
    .toMatchObject([{ billing_status: 'refunded', result: 'failed', amount: '0' }]);
});

test('a cut right before the terminator charges the whole output, as an estimate', async () => {
  const on = await start({ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 6 } });
  // Role, three tokens, finish and usage are six events; only [DONE] is missing.
  const body = chatBody({ stream: true, max_tokens: 3, stream_options: { include_usage: true } });
  const { text } = await on.call('POST', CHAT, body);
  expect(text).toContain('"completion_tokens":3');
  expect(text).not.toContain('[DONE]');
  await expect
    .poll(() => on.records())
    .toMatchObject([
      { billing_status: 'settled', result: 'incomplete', usage_estimated: true, output_tokens: 3 },
    ]);
});

test('a cut that comes after the end never fires, and leaves no line', async () => {
  const on = await start({ fault: 'net.fin_mid', when: { nth: 1 }, parameters: { after_events: 10_000 } });
  await on.call('POST', CHAT, chatBody({ stream: true, max_tokens: 2 }));
  expect((await journal(on)).faults).toEqual([]);
  expect(await on.records()).toMatchObject([{ result: 'completed', usage_estimated: false }]);
});

test('the journal file holds every accepted call after close, open ones included', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  try {
    const journalPath = join(folder, 'journal.ndjson');
    const slow = await startTestGateway({ journalPath, latency: 'realistic' });
    await slow.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'open wb00000000000000bb' });
    const hanging = slow.call('POST', CHAT, chatBody()).catch(() => null);
    await expect.poll(async () => (await slow.records()).length).toBe(2);
    await slow.running.close();
    expect(await hanging).toBeNull();
    const written = (await readFile(journalPath, 'utf8')).trim().split('\n');
    expect(written.map((line): unknown => JSON.parse(line))).toMatchObject([
      { schema: 'weighbridge.journal/1', type: 'call', endpoint: expect.any(String), amount: '0' },
      { schema: 'weighbridge.journal/1', type: 'call', endpoint: expect.any(String), amount: '0' },
    ]);
    expect(written.filter((line) => line.includes('wb00000000000000bb'))).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
