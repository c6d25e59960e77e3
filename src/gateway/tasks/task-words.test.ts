import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { latencyOf } from '../latency/latency-preset.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const NEVER = { kind: 'fixed', ms: 600_000 } as const;
const AT_ONCE = { kind: 'fixed', ms: 0 } as const;
const task = z.object({ id: z.string(), status: z.string() });
const job = z
  .object({ job_id: z.string(), status: z.string() })
  .transform(({ job_id: id, status }) => ({ id, status }));

const KINDS = [
  { path: '/v1/videos', polled: '/v1/videos', body: { model: 'orbit-2', prompt: 'x' }, read: task },
  {
    path: '/v1/images/generations/jobs',
    polled: '/v1/images/jobs',
    body: { model: 'lumen-image', prompt: 'x' },
    read: job,
  },
];

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(words: string, queue: typeof NEVER | typeof AT_ONCE, run = queue): Promise<TestGateway> {
  gateway = await startTestGateway({
    readings: readReadings({ text: `task_words: ${words}\n`, file: 'readings.yaml' }),
    latency: { ...latencyOf('fast'), video_queue: queue, job_queue: queue, video_run: run, job_run: run },
  });
  return gateway;
}

test.each([
  ['named', 'queued', 'in_progress', 'completed', 'failed'],
  ['pending', 'pending', 'processing', 'succeeded', 'failed'],
  ['running', 'queued', 'running', 'succeeded', 'expired'],
])('%s: %s, %s, %s, %s', async (words, queued, inProgress, completed, failed) => {
  for (const { path, polled, body, read } of KINDS) {
    const seen: string[] = [];
    for (const [queue, run, wanted] of [
      [NEVER, NEVER, queued],
      [AT_ONCE, NEVER, inProgress],
      [AT_ONCE, AT_ONCE, completed],
    ] as const) {
      const on = await start(words, queue, run);
      const { id } = read.parse((await on.call('POST', path, body)).json);
      const status = async () => read.parse((await on.call('GET', `${polled}/${id}`)).json).status;
      await expect.poll(status).toBe(wanted);
      seen.push(wanted);
      if (run === NEVER) {
        await on.control('POST', `/tasks/${id}/fail`);
        expect(await status()).toBe(failed);
      }
      await on.running.close();
    }
    expect(seen).toHaveLength(3);
  }
});
