import assert from 'node:assert/strict';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { type Service, VIDEOS, videoBody } from '../service.ts';

const STATUSES = ['queued', 'in_progress', 'completed', 'failed'];

function pathOf(task: Reply): string {
  return `${VIDEOS}/${String(task.at('id'))}`;
}

/** A task that is done; each case that downloads makes its own. */
async function completed(service: Service): Promise<string> {
  const path = pathOf(await service.video());
  await service.ended(path);
  return path;
}

/** A task that has failed, as it is read then, and its one record. */
function failed({ slow }: Service) {
  return slow.once('failed task', async () => {
    const { key } = await slow.customer();
    const task = await slow.video({}, key);
    await slow.control('POST', `/tasks/${String(task.at('id'))}/fail`, { code: 'no_film', message: 'No' });
    const read = await slow.get(pathOf(task), key);
    const [record] = await slow.records(key);
    return { read, record };
  });
}

async function refusesReference(service: Service, over: object): Promise<void> {
  const input_reference = 'data:image/png;base64,iVBORw0KGgo=';
  assert.equal((await service.video({ input_reference, ...over })).status, 400);
}

export const VIDEO_CASES: readonly RequirementCase[] = [
  {
    name: 'a video task is created with 200',
    requires: ['videos.create_200'],
    run: async (service) => assert.equal((await service.video()).status, 200),
  },
  {
    name: 'a video task is created under the other path too',
    requires: ['videos.alias'],
    run: async (service) => {
      assert.notEqual((await service.post(`${VIDEOS}/generations`, videoBody())).at('id'), undefined);
    },
  },
  {
    name: 'a video task without a model is refused',
    requires: ['videos.model_required'],
    run: async (service) => assert.equal((await service.video({ model: undefined })).status, 400),
  },
  {
    name: 'a video task without a prompt is refused',
    requires: ['videos.prompt_required'],
    run: async (service) => assert.equal((await service.video({ prompt: undefined })).status, 400),
  },
  ...(['id', 'object', 'model', 'status'] as const).map(
    (field): RequirementCase => ({
      name: `the ${field} of a video task is a string`,
      requires: [`videos.${field}_string`],
      run: async (service) => {
        const task = await service.video();
        assert.equal(typeof task.at(field), 'string');
        assert.equal(typeof (await service.get(pathOf(task))).at(field), 'string');
      },
    }),
  ),
  {
    name: 'a video task tells when it was created',
    requires: ['videos.created_at_integer'],
    run: async (service) => assert.ok(Number.isInteger((await service.video()).at('created_at'))),
  },
  {
    name: 'a created video task is accepted and not finished',
    requires: ['videos.accepted_unfinished'],
    run: async (service) => assert.notEqual((await service.video()).at('status'), 'completed'),
  },
  {
    name: 'a running video task has a named status',
    requires: ['videos.status_named'],
    run: async ({ slow }) => {
      const task = await slow.video();
      assert.ok(STATUSES.includes(String((await slow.get(pathOf(task))).at('status'))));
    },
  },
  {
    name: 'a video task is read with 200',
    requires: ['videos.read_200'],
    run: async (service) => assert.equal((await service.get(pathOf(await service.video()))).status, 200),
  },
  {
    name: 'a video task is read under the id it was given',
    requires: ['videos.read_same_id'],
    run: async (service) => {
      const path = pathOf(await service.video());
      assert.ok(path.endsWith(`/${String((await service.get(path)).at('id'))}`));
    },
  },
  {
    name: 'the content of a completed task is answered with 200',
    requires: ['videos.content_200'],
    run: async (service) => {
      assert.equal((await service.get(`${await completed(service)}/content`)).status, 200);
    },
  },
  {
    name: 'the content of a completed task is called video/mp4',
    requires: ['videos.content_type'],
    run: async (service) => {
      assert.match((await service.get(`${await completed(service)}/content`)).type, /^video\/mp4/);
    },
  },
  {
    name: 'the content of a completed task is an MP4 file',
    requires: ['videos.content_mp4'],
    run: async (service) => {
      const { bytes } = await service.get(`${await completed(service)}/content`);
      assert.equal(bytes.subarray(4, 8).toString('latin1'), 'ftyp');
    },
  },
  {
    name: 'a running task has no MP4',
    requires: ['videos.no_early_content'],
    run: async ({ slow }) => {
      const early = await slow.get(`${pathOf(await slow.video())}/content`);
      assert.ok(early.status >= 400);
      assert.doesNotMatch(early.type, /^video\/mp4/);
    },
  },
  {
    name: 'the content of a task is downloaded again',
    requires: ['videos.content_again'],
    run: async (service) => {
      const path = await completed(service);
      const first = await service.get(`${path}/content`);
      const second = await service.get(`${path}/content`);
      assert.ok(second.bytes.length > 0);
      assert.deepEqual(second.bytes, first.bytes);
    },
  },
  {
    name: 'a failed task is read with 200',
    requires: ['videos.failed_read_200'],
    run: async (service) => assert.equal((await failed(service)).read.status, 200),
  },
  {
    name: 'a failed task says that it has failed',
    requires: ['videos.failed_status'],
    run: async (service) => assert.equal((await failed(service)).read.at('status'), 'failed'),
  },
  {
    name: 'a failed task has a code',
    requires: ['videos.failed_code'],
    run: async (service) => {
      assert.equal(typeof (await failed(service)).read.at('error', 'code'), 'string');
    },
  },
  {
    name: 'a failed task has a message',
    requires: ['videos.failed_message'],
    run: async (service) => {
      assert.equal(typeof (await failed(service)).read.at('error', 'message'), 'string');
    },
  },
  {
    name: 'the credit of a failed task comes back in usage',
    requires: ['videos.failed_refund'],
    run: async (service) => {
      assert.ok(Number((await failed(service)).record?.['refunded_amount']) > 0);
    },
  },
  {
    name: 'a video from a reference is not longer than 10 seconds',
    requires: ['videos.reference_seconds'],
    run: async (service) => refusesReference(service, { seconds: 11, size: '1280x720' }),
  },
  {
    name: 'a video from a reference is not higher than 720p',
    requires: ['videos.reference_lines'],
    run: async (service) => refusesReference(service, { model: 'orbit-2-pro', size: '1792x1024' }),
  },
  {
    name: 'a video is not edited, remixed or extended',
    requires: ['videos.no_edits'],
    run: async (service) => {
      for (const path of ['edits', 'extensions', 'video_none/remix']) {
        const { status } = await service.post(`${VIDEOS}/${path}`, videoBody());
        assert.ok(status === 404 || status === 405, path);
      }
    },
  },
];
