import assert from 'node:assert/strict';
import { objectsIn } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { EDIT_JOBS, editBody, editForm, GENERATION_JOBS, imageBody, type Service } from '../service.ts';

const STATUSES = ['queued', 'in_progress', 'completed', 'failed'];

function pathOf(job: Reply): string {
  return `/v1/images/jobs/${String(job.at('job_id'))}`;
}

/** A job that is done, made once for all cases that only read it. */
function completed(service: Service): Promise<string> {
  return service.once('completed job', async () => {
    const path = pathOf(await service.post(GENERATION_JOBS, imageBody({ response_format: 'url' })));
    await service.ended(path);
    return path;
  });
}

/** A job that has failed, as it is read then, and its one record. */
function failed({ slow }: Service) {
  return slow.once('failed job', async () => {
    const { key } = await slow.customer();
    const job = await slow.post(GENERATION_JOBS, imageBody(), key);
    await slow.control('POST', `/tasks/${String(job.at('job_id'))}/fail`, {
      code: 'no_picture',
      message: 'No',
    });
    const read = await slow.get(pathOf(job), key);
    const [record] = await slow.records(key);
    return { read, record };
  });
}

function imageOf(reply: Reply): Record<string, unknown> {
  return objectsIn(reply.at('data'))[0] ?? {};
}

export const JOB_CASES: readonly RequirementCase[] = [
  {
    name: 'a generation job is accepted with 202',
    requires: ['jobs.generation_202'],
    run: async (service) => assert.equal((await service.post(GENERATION_JOBS, imageBody())).status, 202),
  },
  {
    name: 'an edit job is accepted with 202',
    requires: ['jobs.edit_202'],
    run: async (service) => assert.equal((await service.post(EDIT_JOBS, editBody())).status, 202),
  },
  {
    name: 'an edit job is taken as a form',
    requires: ['jobs.edit_same_body'],
    run: async (service) => {
      assert.notEqual((await service.post(EDIT_JOBS, editForm())).at('job_id'), undefined);
    },
  },
  {
    name: 'an edit job without an image is refused',
    requires: ['jobs.edit_same_body'],
    run: async (service) => {
      assert.equal((await service.post(EDIT_JOBS, editBody({ image: undefined }))).status, 400);
    },
  },
  {
    name: 'a generation job without a prompt is refused',
    requires: ['jobs.generation_same_body'],
    run: async (service) => {
      assert.equal((await service.post(GENERATION_JOBS, imageBody({ prompt: undefined }))).status, 400);
    },
  },
  {
    name: 'a job has an id',
    requires: ['jobs.job_id_string'],
    run: async (service) => {
      const id = (await service.post(GENERATION_JOBS, imageBody())).at('job_id');
      assert.ok(typeof id === 'string' && id !== '');
    },
  },
  {
    name: 'an accepted job has a named status',
    requires: ['jobs.status_on_submit'],
    run: async (service) => {
      const job = await service.post(GENERATION_JOBS, imageBody());
      assert.ok(STATUSES.includes(String(job.at('status'))));
    },
  },
  {
    name: 'a running job has a named status',
    requires: ['jobs.status_on_read'],
    run: async ({ slow }) => {
      const job = await slow.post(GENERATION_JOBS, imageBody());
      assert.ok(STATUSES.includes(String((await slow.get(pathOf(job))).at('status'))));
    },
  },
  {
    name: 'a job is read with 200',
    requires: ['jobs.read_200'],
    run: async (service) => assert.equal((await service.get(await completed(service))).status, 200),
  },
  {
    name: 'a job is read with its own id',
    requires: ['jobs.read_same_id'],
    run: async (service) => {
      const path = await completed(service);
      assert.ok(path.endsWith(String((await service.get(path)).at('job_id'))));
    },
  },
  {
    name: 'an unknown job is not found',
    requires: ['jobs.unknown_404'],
    run: async (service) => assert.equal((await service.get('/v1/images/jobs/imgjob_none')).status, 404),
  },
  {
    name: 'a job of another account is not found',
    requires: ['jobs.foreign_404'],
    run: async (service) => {
      const path = await completed(service);
      const { key } = await service.customer();
      assert.equal((await service.get(path, key)).status, 404);
    },
  },
  {
    name: 'the result of a running job is 409',
    requires: ['jobs.early_result_409'],
    run: async ({ slow }) => {
      const job = await slow.post(GENERATION_JOBS, imageBody());
      assert.equal((await slow.get(`${pathOf(job)}/result`)).status, 409);
    },
  },
  {
    name: 'the result of a completed job is answered with 200',
    requires: ['jobs.result_200'],
    run: async (service) => {
      assert.equal((await service.get(`${await completed(service)}/result`)).status, 200);
    },
  },
  {
    name: 'the result of a completed job is an image answer',
    requires: ['jobs.result_image'],
    run: async (service) => {
      const result = await service.get(`${await completed(service)}/result`);
      assert.ok(Number.isInteger(result.at('created')));
      assert.ok(Array.isArray(result.at('data')));
    },
  },
  {
    name: 'a job result is asked for as a link',
    requires: ['jobs.result_url'],
    run: async (service) => {
      const { url } = imageOf(await service.get(`${await completed(service)}/result?response_format=url`));
      assert.equal(typeof url, 'string');
    },
  },
  {
    name: 'a job result is asked for as bytes',
    requires: ['jobs.result_b64_json'],
    run: async (service) => {
      const result = await service.get(`${await completed(service)}/result?response_format=b64_json`);
      assert.equal(typeof imageOf(result)['b64_json'], 'string');
    },
  },
  {
    name: 'a failed job is read with 200',
    requires: ['jobs.failed_read_200'],
    run: async (service) => assert.equal((await failed(service)).read.status, 200),
  },
  {
    name: 'a failed job says that it has failed',
    requires: ['jobs.failed_status'],
    run: async (service) => assert.equal((await failed(service)).read.at('status'), 'failed'),
  },
  {
    name: 'a failed job has an error with code and message',
    requires: ['jobs.failed_error'],
    run: async (service) => {
      const { read } = await failed(service);
      assert.equal(typeof read.at('error', 'code'), 'string');
      assert.equal(typeof read.at('error', 'message'), 'string');
    },
  },
  {
    name: 'the credit of a failed job comes back in usage',
    requires: ['jobs.failed_refund'],
    run: async (service) => {
      const { record } = await failed(service);
      assert.ok(Number(record?.['refunded_amount']) > 0);
    },
  },
  {
    name: 'a model without jobs refuses them for good',
    requires: ['jobs.unsupported_refused'],
    run: async (service) => {
      const { status } = await service.post(GENERATION_JOBS, imageBody({ model: 'nimbus-sync-only' }));
      assert.ok(status >= 400 && status < 500 && status !== 429);
    },
  },
  {
    name: 'a model without jobs makes images while the client waits',
    requires: ['jobs.unsupported_falls_back'],
    run: async (service) => {
      const reply = await service.image({ model: 'nimbus-sync-only' });
      assert.ok(objectsIn(reply.at('data')).length > 0);
    },
  },
];
