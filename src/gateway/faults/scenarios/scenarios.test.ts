import { afterEach, describe, expect, test } from 'vitest';
import type { JournalFault } from '../../../contracts/journal.ts';
import { chatBody, startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';
import { journalOf } from '../fault-cases.test-support.ts';
import { faultsOfScenario } from '../fault-plan.ts';
import { SCENARIOS } from './scenarios.ts';

const CHAT = '/v1/chat/completions';
let gateway: TestGateway;

afterEach(() => gateway.running.close());

async function start(name: string): Promise<void> {
  gateway = await startTestGateway({ faults: { faults: faultsOfScenario(name) } });
}

/** Statuses of calls, one after the other; null where the connection failed. */
async function calls(count: number, over: object = {}): Promise<(number | null)[]> {
  const statuses: (number | null)[] = [];
  for (let call = 0; call < count; call += 1) {
    const answer = await gateway.call('POST', CHAT, chatBody({ max_tokens: 20, ...over })).catch(() => null);
    statuses.push(answer?.status ?? null);
  }
  return statuses;
}

/** Faults of the request that was hit, by the sign of their delta. */
async function fired(): Promise<Record<string, number>> {
  const { faults } = await journalOf(gateway);
  return Object.fromEntries(faults.map((line: JournalFault) => [line.fault, Math.sign(Number(line.delta))]));
}

describe('bugs of bills: the fifth stream goes wrong, and its bill with it', () => {
  test.each([
    ['aborted-but-billed-as-output', { 'net.fin_mid': 0, 'bill.estimated_high': 1 }, 'incomplete'],
    ['aborted-billed-zero', { 'net.fin_mid': 0, 'bill.zero_on_abort': -1 }, 'incomplete'],
    ['eof-and-second-charge', { 'net.eof_clean': 0, 'bill.retry_charge': 1 }, 'incomplete'],
    ['prompt-billed-without-reply', { 'net.eof_clean': 0, 'bill.charge_prompt_only_on_abort': 1 }, 'failed'],
    [
      'stream-error-recorded-completed',
      { 'sem.error_in_stream': 0, 'bill.incomplete_as_completed': 0 },
      'completed',
    ],
  ])('%s', async (name, faults, result) => {
    await start(name);
    await calls(5, { stream: true });
    expect(await fired()).toEqual(faults);
    const { calls: lines, faults: told } = await journalOf(gateway);
    expect(lines).toHaveLength(5);
    const hit = lines.at(-1)?.request_id;
    expect(told[0]?.request_id).toBe(hit);
    const records = (await gateway.records()).filter((record) => record.request_id === hit);
    expect(records).toMatchObject([{ result }]);
  });

  test('double-refund', async () => {
    await start('double-refund');
    for (let task = 0; task < 2; task += 1) {
      await gateway.call('POST', '/v1/videos', { model: 'orbit-2', prompt: `boat ${task}` });
    }
    const both = { 'sem.task_failed_200': 0, 'bill.double_refund': -1 };
    await expect.poll(fired).toEqual(both);
  });
});

test('two-429-then-success: reads count for nothing', async () => {
  await start('two-429-then-success');
  await gateway.records();
  expect(await calls(4)).toEqual([429, 429, 200, 200]);
});

test('524-after-full-charge: the second try is charged as well', async () => {
  await start('524-after-full-charge');
  expect(await calls(2, { stream: true })).toEqual([524, 200]);
  const [second, first] = await gateway.records();
  expect([first?.billing_status, second?.billing_status]).toEqual(['settled', 'settled']);
  expect(first?.amount).toBe(second?.amount);
  expect(await fired()).toEqual({ 'http.524_html': 1 });
});

test('names are in kebab case, each once', async () => {
  await start('two-429-then-success');
  const names = SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
});
