import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { type Answer, chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const CHAT = '/v1/chat/completions';
const IMAGE = { model: 'lumen-image', prompt: 'x', response_format: 'url' };
const VIDEO = { model: 'orbit-2', prompt: 'x' };
const HEADERS = ['x-oneapi-request-id', 'x-request-id', 'request-id', 'x-trace-id'] as const;

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  return gateway;
}

/** One success of each kind. */
async function successes(on: TestGateway): Promise<readonly Answer[]> {
  return [
    await on.call('POST', CHAT, chatBody({ max_tokens: 2 })),
    await on.call('POST', CHAT, chatBody({ max_tokens: 2, stream: true })),
    await on.call('POST', '/v1/responses', { model: 'aspen', input: 'x', stream: true }),
    await on.call('POST', '/v1/messages', { ...chatBody(), max_tokens: 2 }),
    await on.call('POST', '/v1/images/generations', IMAGE),
    await on.call('POST', '/v1/images/generations/jobs', IMAGE),
    await on.call('POST', '/v1/videos', VIDEO),
  ];
}

function headersOf({ headers }: Answer): readonly string[] {
  return HEADERS.filter((name) => headers.get(name) !== null);
}

test.each([
  ['one_header', ['request-id'], ['request-id']],
  ['other_header', ['x-trace-id'], ['x-trace-id']],
  ['errors_only', [], HEADERS.slice(0, 3)],
  ['nowhere', [], []],
])(
  '%s: no request id in the body of a success; in the message of an error as ever',
  async (reading, ofSuccess, ofError) => {
    const on = await start(`request_id: ${reading}\n`);
    const answers = await successes(on);
    const ids = (await on.records()).map(({ request_id }) => request_id).reverse();
    expect(ids).toHaveLength(7);
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBeLessThan(300);
      expect(headersOf(answer)).toEqual(ofSuccess);
      for (const name of ofSuccess) expect(answer.headers.get(name)).toBe(ids[index]);
      expect(ids.filter((id) => answer.text.includes(id))).toEqual([]);
    }
    const refused = await on.call('POST', CHAT, chatBody({ model: 'none' }));
    expect(headersOf(refused)).toEqual(ofError);
    for (const name of ofError) expect(refused.text).toContain(`(request id: ${refused.headers.get(name)})`);
    expect(refused.text).toMatch(/\(request id: \d{20}\w{8}\)/);
  },
);

test('in the body: a field of JSON, ids in a stream, and no header', async () => {
  const on = await start('request_id: in_body\n');
  const answers = await successes(on);
  const ids = (await on.records()).map(({ request_id }) => request_id).reverse();
  expect(answers.map(headersOf)).toEqual(answers.map(() => []));
  for (const [index, { text }] of answers.entries()) expect(text).toContain(ids[index]);
  expect(answers[0]?.json).toMatchObject({ request_id: ids[0] });
});

test('in the body of an answer that is given again: the id of the first request', async () => {
  const on = await start('request_id: in_body\n');
  const once = { 'idempotency-key': 'k' };
  const first = await on.call('POST', '/v1/images/generations', IMAGE, once);
  const again = await on.call('POST', '/v1/images/generations', IMAGE, once);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.json).toEqual(first.json);
});

test('the record of a task has the id of the task, and is found by it', async () => {
  const on = await start('task_request_id: task\n');
  const job = await on.call('POST', '/v1/images/generations/jobs', IMAGE);
  const { job_id, request_id } = z.object({ job_id: z.string(), request_id: z.string() }).parse(job.json);
  const video = z.object({ id: z.string() }).parse((await on.call('POST', '/v1/videos', VIDEO)).json);
  const text = await on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
  expect((await on.records()).map((record) => record.request_id)).toEqual([
    text.headers.get('x-request-id'),
    video.id,
    job_id,
  ]);
  expect(request_id).toBe(job_id);
  const found = await on.call('GET', `/v1/usage/requests?request_id=${video.id}`);
  expect(found.json).toMatchObject({ data: [{ request_id: video.id, model: 'orbit-2' }] });
});
