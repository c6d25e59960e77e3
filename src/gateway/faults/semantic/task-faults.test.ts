import { afterEach, describe, expect, test } from 'vitest';
import {
  EDIT_JOB,
  FaultyGateway,
  IMAGE_JOB,
  type Made,
  type Medium,
  VIDEO,
} from './faulty-gateway.test-support.ts';

interface Case {
  readonly fault: string;
  readonly parameters?: Record<string, string | number>;
  /** What a client sees of a task, with the fault and without. */
  see(on: FaultyGateway, made: Made): Promise<unknown>;
  readonly wrong: unknown;
  readonly right: unknown;
  /** Of the hit call; settled unless given. */
  readonly billed?: 'pending' | 'refunded';
}

async function afterCompletion(on: FaultyGateway, made: Made): Promise<string[]> {
  return (await on.follow(made, 'completed', 2)).slice(-2).map(({ status }) => status);
}

async function resultOfCompleted(on: FaultyGateway, made: Made): Promise<number> {
  await on.follow(made);
  return (await on.result(made)).status;
}

/** Reads once the fault has acted: what is held does not move any more. */
async function heldState(on: FaultyGateway, made: Made): Promise<unknown> {
  const [line] = await on.fired();
  if (line?.request_id !== made.requestId) return (await on.follow(made)).at(-1)?.status;
  const { status } = await on.told(made);
  return [status, (await on.result(made)).status >= 400];
}

const CASES: readonly Case[] = [
  {
    fault: 'sem.task_failed_200',
    async see(on, made) {
      const { status, error } = await on.ended(made);
      return [status, error, (await on.status(made)).status, (await on.result(made)).status < 400];
    },
    wrong: ['failed', { code: expect.any(String), message: expect.any(String) }, 200, false],
    right: ['completed', null, 200, true],
    billed: 'refunded',
  },
  {
    fault: 'sem.failed_without_error',
    async see(on, made) {
      const { status, error } = await on.ended(made);
      return [status, error];
    },
    wrong: ['failed', null],
    right: ['completed', null],
    billed: 'refunded',
  },
  {
    fault: 'sem.stuck_in_progress',
    see: heldState,
    wrong: ['in_progress', true],
    right: 'completed',
    billed: 'pending',
  },
  {
    fault: 'sem.stuck_in_progress',
    parameters: { for_ms: 50 },
    see: async (on, made) => (await on.follow(made)).at(-1)?.status,
    wrong: 'completed',
    right: 'completed',
  },
  {
    fault: 'sem.queued_forever',
    see: heldState,
    wrong: ['queued', true],
    right: 'completed',
    billed: 'pending',
  },
  {
    fault: 'sem.backward_status',
    see: afterCompletion,
    wrong: ['in_progress', 'completed'],
    right: ['completed', 'completed'],
  },
  {
    fault: 'sem.unknown_status',
    parameters: { status: 'sleeping', polls: 2 },
    see: async (on, made) => [
      (await on.told(made)).status,
      (await on.told(made)).status,
      (await on.follow(made)).at(-1)?.status,
    ],
    wrong: ['sleeping', 'sleeping', 'completed'],
    right: [expect.not.stringMatching('sleeping'), expect.not.stringMatching('sleeping'), 'completed'],
  },
  {
    fault: 'sem.progress_back',
    async see(on, made) {
      const seen = (await on.follow(made, 'completed', 2)).map(({ progress }) => progress);
      return seen.some((progress, index) => progress < Math.max(...seen.slice(0, index + 1)));
    },
    wrong: true,
    right: false,
  },
  {
    fault: 'sem.error_without_failed',
    see: async (on, made) => (await on.follow(made)).at(-1)?.error,
    wrong: { code: expect.any(String), message: expect.any(String) },
    right: null,
  },
  {
    fault: 'sem.vanish_404',
    parameters: { after_polls: 2 },
    async see(on, made) {
      const polls = [await on.status(made), await on.status(made), await on.status(made)];
      await on.record(made, 'settled');
      return [...polls, await on.result(made)].map(({ status }) => status);
    },
    wrong: [200, 200, 404, 404],
    right: [200, 200, 200, 200],
  },
  { fault: 'sem.completed_no_result', see: resultOfCompleted, wrong: 404, right: 200 },
  {
    fault: 'sem.completed_no_result',
    parameters: { status: 409 },
    see: resultOfCompleted,
    wrong: 409,
    right: 200,
  },
  {
    fault: 'sem.job_other_account_visible',
    async see(on, made) {
      const { apiKey } = await on.gateway.newKey();
      await on.follow(made);
      return [(await on.status(made, apiKey)).status, (await on.result(made, apiKey)).status];
    },
    wrong: [200, 200],
    right: [404, 404],
  },
];

let on: FaultyGateway | null = null;
afterEach(async () => {
  await on?.close();
  on = null;
});

const MEDIA: readonly (readonly [string, Medium])[] = [
  ['video', VIDEO],
  ['image job', IMAGE_JOB],
];

describe.each(MEDIA)('of a %s', (_name, medium) => {
  test.each(CASES)('$fault $parameters', async ({ fault, parameters = {}, see, wrong, right, billed }) => {
    on = await FaultyGateway.start(medium, { fault, parameters });
    const hit = await on.make();
    expect(await see(on, hit)).toEqual(wrong);
    const clean = await on.make();
    expect(await see(on, clean)).toEqual(right);

    const charged = await on.record(clean, 'settled');
    const record = await on.record(hit, billed ?? 'settled');
    expect(record.reserved_amount).toBe(charged.amount);
    expect([record.amount, record.refunded_amount]).toEqual([
      billed === undefined ? charged.amount : '0',
      billed === 'refunded' ? charged.amount : '0',
    ]);
    const heldForGood = billed === 'pending' ? charged.amount : '0';
    expect(await on.fired()).toMatchObject([
      { fault, request_id: hit.requestId, ordinal: 1, parameters, delta: heldForGood },
    ]);
  });
});

test('sem.backward_status can go back from in_progress, which is told as queued', async () => {
  on = await FaultyGateway.start(
    VIDEO,
    { fault: 'sem.backward_status', parameters: { from: 'in_progress', polls: 2 } },
    { fault: 'sem.stuck_in_progress' },
  );
  const made = await on.make();
  await on.follow(made, 'in_progress');
  const seen = [await on.told(made), await on.told(made), await on.told(made)];
  expect(seen.map(({ status }) => status)).toEqual(['queued', 'queued', 'in_progress']);
  expect(seen[0]?.progress).toBe(0);
});

test('sem.cross_task_result: another completed video is downloaded, the other one stays itself', async () => {
  on = await FaultyGateway.start(VIDEO, { fault: 'sem.cross_task_result' });
  const [hit, other] = [await on.make(), await on.make({ seconds: 8 })];
  await on.follow(other);
  await on.follow(hit);
  const [served, right] = [await on.result(hit), await on.result(other)];
  expect(served.headers.get('etag')).toBe(right.headers.get('etag'));
  expect(await on.record(hit, 'settled')).toMatchObject({ amount: '0.4' });
  expect(await on.fired()).toMatchObject([{ request_id: hit.requestId, delta: '0' }]);
});

test('sem.cross_task_result of an image job; alone it has nothing to serve and does not act', async () => {
  on = await FaultyGateway.start(EDIT_JOB, { fault: 'sem.cross_task_result' });
  const hit = await on.make();
  await on.follow(hit);
  expect((await on.result(hit)).text).toContain(hit.requestId);
  const other = await on.make();
  await on.follow(other);
  expect((await on.result(hit)).text).toContain(other.requestId);
  expect((await on.result(other)).text).toContain(other.requestId);
  expect(await on.fired()).toMatchObject([{ fault: 'sem.cross_task_result', request_id: hit.requestId }]);
});
