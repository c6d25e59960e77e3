import { expect } from 'vitest';
import * as z from 'zod';
import type { UsageRecord } from '../../../contracts/interface.ts';
import type { JournalFault, JournalLine } from '../../../contracts/journal.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';
import type { FaultEntry } from '../fault-plan.ts';

/** A call that was accepted; `id` is that of its task, empty for an image made at once. */
export interface Made {
  readonly id: string;
  readonly requestId: string;
  readonly answer: Answer;
}

/** What is paid for: how to ask for it and where its task is read. */
export interface Medium {
  readonly create: string;
  readonly body: object;
  /** Null: it is made at once. */
  readonly task: { readonly status: string; readonly result: string } | null;
}

const image = { model: 'lumen-image', prompt: 'a wheel' };
const JOB = { status: '/v1/images/jobs/ID', result: '/v1/images/jobs/ID/result' };

export const VIDEO: Medium = {
  create: '/v1/videos',
  body: { model: 'orbit-2', prompt: 'a sail' },
  task: { status: '/v1/videos/ID', result: '/v1/videos/ID/content' },
};
export const IMAGE_JOB: Medium = { create: '/v1/images/generations/jobs', body: image, task: JOB };
export const EDIT_JOB: Medium = {
  create: '/v1/images/edits/jobs',
  body: { ...image, image: 'x' },
  task: JOB,
};
export const IMAGE: Medium = { create: '/v1/images/generations', body: image, task: null };

const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });
const ids = z.object({ id: z.string().optional(), job_id: z.string().optional() });
const told = z.object({
  status: z.string(),
  progress: z.number(),
  error: z.unknown(),
  created_at: z.number(),
  url: z.string().nullish(),
});
export type Told = z.infer<typeof told>;

/** Everything is over within milliseconds of the fast preset. */
const OFTEN = { interval: 10 };

/** A gateway that commits faults, and reads of one medium. */
export class FaultyGateway {
  readonly gateway: TestGateway;
  readonly medium: Medium;

  private constructor(gateway: TestGateway, medium: Medium) {
    this.gateway = gateway;
    this.medium = medium;
  }

  /** Each fault hits the first request that it can hit. */
  static async start(
    medium: Medium,
    ...entries: readonly (Pick<FaultEntry, 'fault'> & Partial<FaultEntry>)[]
  ): Promise<FaultyGateway> {
    const faults = entries.map((entry) => ({ when: { nth: 1 }, parameters: {}, ...entry }));
    return new FaultyGateway(await startTestGateway({ faults: { faults } }), medium);
  }

  close(): Promise<void> {
    return this.gateway.running.close();
  }

  async make(over: object = {}): Promise<Made> {
    const answer = await this.gateway.call('POST', this.medium.create, { ...this.medium.body, ...over });
    expect(answer.status).toBeLessThan(300);
    const { id, job_id } = ids.parse(answer.json);
    return { id: id ?? job_id ?? '', requestId: answer.headers.get('x-request-id') ?? '', answer };
  }

  status({ id }: Made, key?: string): Promise<Answer> {
    return this.#read(this.medium.task?.status ?? '', id, key);
  }

  result({ id }: Made, key?: string): Promise<Answer> {
    return this.#read(this.medium.task?.result ?? '', id, key);
  }

  async told(made: Made): Promise<Told> {
    return told.parse((await this.status(made)).json);
  }

  /** What status reads tell until one tells `until`, and `more` reads after it. */
  async follow(made: Made, until = 'completed', more = 0): Promise<Told[]> {
    const seen: Told[] = [];
    await expect
      .poll(async () => {
        seen.push(await this.told(made));
        return seen.at(-1)?.status;
      }, OFTEN)
      .toBe(until);
    for (let read = 0; read < more; read += 1) seen.push(await this.told(made));
    return seen;
  }

  /** What a status read tells once the task is told as ended, well or not. */
  async ended(made: Made): Promise<Told> {
    await expect.poll(async () => (await this.told(made)).status, OFTEN).toMatch(/completed|failed/);
    return this.told(made);
  }

  /** Journal lines of faults, once there is one. */
  async fired(): Promise<JournalFault[]> {
    const journal = async () => {
      const read = lines.parse((await this.gateway.control('GET', '/journal')).json).lines;
      return read.filter((line) => line.type === 'fault');
    };
    await expect.poll(async () => (await journal()).length, OFTEN).toBeGreaterThan(0);
    return journal();
  }

  /** The record of a call, once it is in that state. */
  async record({ requestId }: Made, status: string): Promise<UsageRecord> {
    const find = async () => (await this.gateway.records()).filter((one) => one.request_id === requestId);
    await expect.poll(async () => (await find()).map((one) => one.billing_status), OFTEN).toEqual([status]);
    const [record] = await find();
    if (record === undefined) throw new Error(`no record of ${requestId}`);
    return record;
  }

  #read(path: string, id: string, key?: string): Promise<Answer> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return this.gateway.call('GET', path.replace('ID', id), undefined, headers);
  }
}
