import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { formatAmount, type PicoUsd, parseAmount } from '../../src/core/amount.ts';
import { seededRandom } from '../../src/core/seeded-random.ts';
import { GatewayProcess, type ReadyLine } from '../support/gateway-process.ts';

const KILLS = 50;
const WORKERS = 8;
/** A kill comes when so many calls of its round have ended, and up to so many ms later. */
const MOST_ENDED = 24;
const MOST_LATER_MS = 12;

const job = z.object({ job_id: z.string(), request_id: z.string() });
const task = z.object({ id: z.string() });
const status = z.object({ status: z.string() });
const record = z.object({
  id: z.string(),
  request_id: z.string(),
  billing_status: z.string(),
  result: z.string(),
  amount: z.string(),
});
type Served = z.infer<typeof record>;
const page = z.object({ data: z.array(record), next_cursor: z.string(), has_more: z.boolean() });
const totals = z.object({ settled_amount: z.string(), pending_amount: z.string(), records: z.number() });
const money = z.object({ balance_usd: z.string(), reserved_usd: z.string(), used_usd: z.string() });
const madeAccount = z.object({ user_id: z.number(), access_token: z.string() });
const madeKey = z.object({ api_key: z.string() });

interface Customer {
  readonly userId: number;
  readonly key: string;
  readonly credit: PicoUsd;
}

/** A call whose end the client has seen. */
interface SeenCall {
  readonly requestId: string;
  readonly key: string;
  /** As its record said before the kill; null where it was not read. */
  amount: string | null;
}

interface SeenTask {
  readonly path: string;
  readonly key: string;
  readonly requestId: string;
}

const folder = mkdtempSync(join(tmpdir(), 'weighbridge-data-'));
const dataDir = join(folder, 'gateway');
const calls: SeenCall[] = [];
const tasks: SeenTask[] = [];

/** Told of every call and task that is seen. */
let onSeen = (): void => {};

let serving: GatewayProcess;
let standby: GatewayProcess;
let ready: ReadyLine;

beforeAll(async () => {
  serving = new GatewayProcess(dataDir);
  ready = await serving.start();
  // A proper end leaves the compiled modules behind, and with them the fifty starts take half the time.
  await serving.end('SIGTERM');
  standby = new GatewayProcess(dataDir);
  await startNext();
});

afterAll(async () => {
  await serving.end('SIGKILL');
  await standby.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function startNext(): Promise<void> {
  serving = standby;
  standby = new GatewayProcess(dataDir);
  ready = await serving.start();
}

async function ask(path: string, key: string, body?: object, headers: object = {}): Promise<Response> {
  return await fetch(ready.base_url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function control(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(ready.control_url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${ready.control_token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Resolves when so many more calls and tasks have been seen. */
function ended(count: number): Promise<void> {
  const target = calls.length + tasks.length + count;
  return new Promise((resolve) => {
    onSeen = () => {
      if (calls.length + tasks.length >= target) resolve();
    };
  });
}

async function newCustomer(): Promise<Customer> {
  const { user_id } = madeAccount.parse(await control('/accounts', { balance_usd: '500' }));
  const { api_key } = madeKey.parse(await control('/keys', { user_id }));
  return { userId: user_id, key: api_key, credit: 500n * 10n ** 12n };
}

const CHAT = { model: 'aspen-mini', max_tokens: 8, messages: [{ role: 'user', content: 'say a few words' }] };
const IMAGE = { model: 'lumen-image', prompt: 'a weighbridge', quality: 'low' };

/** One call of a kind to its end; what the client has seen goes on the lists. */
const KINDS: readonly ((key: string) => Promise<void>)[] = [
  (key) => paid(key, '/v1/chat/completions', CHAT, (text) => text.includes('"choices"')),
  (key) =>
    paid(key, '/v1/chat/completions', { ...CHAT, stream: true }, (text) => text.endsWith('data: [DONE]\n\n')),
  (key) =>
    paid(key, '/v1/messages', { ...CHAT, model: 'cedar-haiku', stream: true }, (text) =>
      text.includes('message_stop'),
    ),
  (key) => paid(key, '/v1/images/generations', IMAGE, (text) => text.includes('"data"')),
  async (key) => {
    const answer = await ask('/v1/images/generations/jobs', key, IMAGE);
    const { job_id, request_id } = job.parse(await answer.json());
    tasks.push({ path: `/v1/images/jobs/${job_id}`, key, requestId: request_id });
  },
  async (key) => {
    const answer = await ask('/v1/videos', key, { model: 'orbit-2', prompt: 'a truck', seconds: 2 });
    const { id } = task.parse(await answer.json());
    tasks.push({ path: `/v1/videos/${id}`, key, requestId: requestIdOf(answer) });
  },
];

function requestIdOf(answer: Response): string {
  return answer.headers.get('x-request-id') ?? '';
}

async function paid(
  key: string,
  path: string,
  body: object,
  isWhole: (text: string) => boolean,
): Promise<void> {
  const answer = await ask(path, key, body);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  if (!isWhole(text)) return;
  const seen: SeenCall = { requestId: requestIdOf(answer), key, amount: null };
  calls.push(seen);
  if (calls.length % 3 !== 0) return;
  const [found] = page.parse(
    await (await ask(`/v1/usage/requests?request_id=${seen.requestId}`, key)).json(),
  ).data;
  seen.amount = found?.amount ?? 'none';
}

/** Calls of all kinds on all keys until the gateway is gone. */
async function load(keys: readonly string[], gone: AbortSignal): Promise<void> {
  const worker = async (number: number): Promise<void> => {
    for (let turn = number; !gone.aborted; turn += 1) {
      const run = KINDS[turn % KINDS.length];
      const key = keys[Math.floor(turn / KINDS.length + number) % keys.length];
      if (run === undefined || key === undefined) throw new Error('no kind or key');
      try {
        await run(key);
        onSeen();
      } catch (error) {
        if (!gone.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
}

async function recordsOf(key: string): Promise<Served[]> {
  const all: Served[] = [];
  let before = '';
  for (;;) {
    const read = page.parse(await (await ask(`/v1/usage/requests?limit=200&before=${before}`, key)).json());
    all.push(...read.data);
    if (!read.has_more) return all;
    before = read.next_cursor;
  }
}

function sum(texts: readonly string[]): PicoUsd {
  return texts.reduce((total, text) => total + (parseAmount(text) ?? 0n), 0n);
}

function idsOf(records: readonly Served[]): string[] {
  return records.map(({ id }) => id);
}

test(`${KILLS} kills under load: no settled record is lost, none is doubled, and every job ends`, async () => {
  const first: Customer = { userId: ready.user_id, key: ready.api_key, credit: 1000n * 10n ** 12n };
  const customers = [first, await newCustomer(), await newCustomer()];
  const keys = customers.map(({ key }) => key);

  for (let kill = 0; kill < KILLS; kill += 1) {
    const random = seededRandom('gateway-data', kill);
    const gone = new AbortController();
    const loaded = load(keys, gone.signal);
    await Promise.race([ended(1 + random.below(MOST_ENDED)), loaded]);
    await delay(random.below(MOST_LATER_MS));
    gone.abort();
    await serving.end('SIGKILL');
    await loaded;
    await startNext();
    expect([ready.api_key, ready.user_id]).toEqual([first.key, first.userId]);
  }

  for (const { path, key } of tasks) {
    const read = async () => status.parse(await (await ask(path, key)).json()).status;
    await expect.poll(read, { interval: 20 }).toBe('completed');
  }

  const all: Served[] = [];
  for (const { userId, key, credit } of customers) {
    const records = await recordsOf(key);
    all.push(...records);
    const byRequest = Map.groupBy(records, ({ request_id }) => request_id);
    for (const { requestId, amount } of calls.filter((call) => call.key === key)) {
      const found = byRequest.get(requestId) ?? [];
      expect(found).toMatchObject([{ billing_status: 'settled', result: 'completed' }]);
      if (amount !== null) expect(found[0]?.amount).toBe(amount);
    }
    for (const { requestId } of tasks.filter((accepted) => accepted.key === key)) {
      expect(byRequest.get(requestId)).toMatchObject([{ billing_status: 'settled', result: 'completed' }]);
    }
    const settled = sum(records.map(({ amount }) => amount));
    const served = totals.parse(await (await ask('/v1/usage', key)).json());
    expect(served).toEqual({
      settled_amount: formatAmount(settled),
      pending_amount: '0',
      records: records.length,
    });
    expect(money.parse(await control(`/accounts/${userId}`))).toEqual({
      balance_usd: formatAmount(credit - settled),
      reserved_usd: '0',
      used_usd: formatAmount(settled),
    });
  }
  expect(new Set(idsOf(all)).size).toBe(all.length);
  expect(new Set(all.map(({ request_id }) => request_id)).size).toBe(all.length);
  // The load was one: calls of every round were seen whole, and kills cut others off.
  expect(calls.length).toBeGreaterThan(KILLS);
  expect(tasks.length).toBeGreaterThan(KILLS);
  expect(all.some(({ billing_status }) => billing_status === 'refunded')).toBe(true);
});

test('a second gateway on the same directory is refused', async () => {
  const second = new GatewayProcess(dataDir);
  await expect(second.start()).rejects.toThrow(
    /ended with 2: data_in_use: .* found serve-gateway\.ts \(process \d+ on \S+\) holding it since/,
  );
});

test('of several that start at once where the last one was killed, one serves', async () => {
  await serving.end('SIGKILL');
  const starters = Array.from({ length: 3 }, () => new GatewayProcess(dataDir));
  const started = await Promise.allSettled(starters.map((starter) => starter.start()));
  expect(started.map(({ status: outcome }) => outcome).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const outcome of started) {
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('ended with 2: data_in_use');
  }
  await Promise.all(starters.map((starter) => starter.end('SIGKILL')));
  await startNext();
});

test('credentials of the ready line are the same after a proper stop', async () => {
  const { api_key, access_token, user_id } = ready;
  await serving.end('SIGTERM');
  await startNext();
  expect(ready).toMatchObject({ api_key, access_token, user_id, notes: [] });
  const headers = { authorization: `Bearer ${access_token}`, 'new-api-user': String(user_id) };
  const self = await fetch(`${ready.base_url}/api/user/self`, { headers });
  expect(self.status).toBe(200);
});
