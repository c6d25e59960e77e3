import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import {
  FaultyGateway,
  IMAGE,
  IMAGE_JOB,
  type Made,
  type Medium,
  VIDEO,
} from './faulty-gateway.test-support.ts';

let on: FaultyGateway | null = null;
afterEach(async () => {
  await on?.close();
  on = null;
});

const imageAnswer = z.object({
  created: z.number(),
  data: z.array(z.object({ url: z.string().optional(), b64_json: z.string().optional() })),
});
type ImageAnswer = z.infer<typeof imageAnswer>;

/** The image response of a call, by its answer or by its job's result. */
async function imageOf(of: FaultyGateway, made: Made): Promise<ImageAnswer> {
  if (of.medium.task === null) return imageAnswer.parse(made.answer.json);
  await of.follow(made);
  return imageAnswer.parse((await of.result(made)).json);
}

/** Which fields the items carry. */
const fields = ({ data }: ImageAnswer) => data.map((item) => Object.keys(item).sort().join('+'));

const ITEMS = [
  ['sem.both_image_fields', {}, ['b64_json+url']],
  ['sem.no_image_field', {}, ['']],
  ['sem.wrong_format', {}, ['b64_json']],
  ['sem.n_ignored', { images: 3 }, ['url', 'url', 'url']],
] as const;

const MEDIA: readonly (readonly [string, Medium])[] = [
  ['an image', IMAGE],
  ['an image job', IMAGE_JOB],
];

test.each(
  MEDIA.flatMap(([name, medium]) =>
    ITEMS.map(([fault, parameters, wrong]) => ({ name, medium, fault, parameters, wrong })),
  ),
)('$fault of $name', async ({ medium, fault, parameters, wrong }) => {
  on = await FaultyGateway.start(medium, { fault, parameters });
  const hit = await on.make();
  expect(fields(await imageOf(on, hit))).toEqual(wrong);
  const clean = await on.make();
  expect(fields(await imageOf(on, clean))).toEqual(['url']);
  expect(await on.record(hit, 'settled')).toMatchObject({ amount: '0.042', refunded_amount: '0' });
  expect(await on.fired()).toMatchObject([
    { fault, request_id: hit.requestId, ordinal: 1, parameters, delta: '0' },
  ]);
});

test('sem.wrong_format gives a link where bytes were asked for', async () => {
  on = await FaultyGateway.start(IMAGE, { fault: 'sem.wrong_format' });
  const hit = await on.make({ response_format: 'b64_json' });
  expect(fields(await imageOf(on, hit))).toEqual(['url']);
});

const linkStatus = async (url: string | null | undefined) => (await fetch(url ?? '')).status;

test('sem.link_expired: the first link of an image is dead; a job gives a fresh one with its result', async () => {
  on = await FaultyGateway.start(IMAGE_JOB, { fault: 'sem.link_expired' });
  const [hit, clean] = [await on.make(), await on.make()];
  const link = async (made: Made) => (await imageOf(on ?? expect.fail(), made)).data[0]?.url;
  const [dead, fresh] = [await link(hit), await link(hit)];
  expect([await linkStatus(dead), await linkStatus(fresh)]).toEqual([403, 200]);
  expect(await linkStatus(await link(clean))).toBe(200);
  expect(await on.record(hit, 'settled')).toMatchObject({ amount: '0.042' });
  expect(await on.fired()).toMatchObject([
    { fault: 'sem.link_expired', request_id: hit.requestId, delta: '0' },
  ]);
});

test('sem.link_expired that lasts: every link of an image is dead', async () => {
  on = await FaultyGateway.start(IMAGE_JOB, { fault: 'sem.link_expired', parameters: { lasting: true } });
  const hit = await on.make();
  const link = async () => (await imageOf(on ?? expect.fail(), hit)).data[0]?.url;
  for (let read = 1; read <= 3; read += 1) expect(await linkStatus(await link())).toBe(403);
});

test('sem.link_expired: the link of a video is dead; its content gives a fresh one', async () => {
  on = await FaultyGateway.start(VIDEO, { fault: 'sem.link_expired' });
  const [hit, clean] = [await on.make(), await on.make()];
  const links = async (made: Made) => {
    const url = (await on?.follow(made))?.at(-1)?.url;
    const content = await on?.result(made);
    return [
      await linkStatus(url),
      content?.status,
      await linkStatus(content?.headers.get('content-location')),
    ];
  };
  expect(await links(hit)).toEqual([403, 200, 200]);
  expect(await links(clean)).toEqual([200, 200, 200]);
  expect(await on.fired()).toMatchObject([
    { fault: 'sem.link_expired', request_id: hit.requestId, delta: '0' },
  ]);
});

test.each([
  [{ body: 'empty' }, ''],
  [{ body: 'json' }, expect.stringContaining('{"status"')],
])('sem.content_too_early_bytes %j', async (parameters, text) => {
  // Held in its queue, the task is not completed whenever it is looked at.
  on = await FaultyGateway.start(
    VIDEO,
    { fault: 'sem.content_too_early_bytes', parameters },
    { fault: 'sem.queued_forever', when: { probability: 1 } },
  );
  const [hit, clean] = [await on.make(), await on.make()];
  const early = await on.result(hit);
  expect([early.status, early.headers.get('content-type'), early.text]).toEqual([200, 'video/mp4', text]);
  const refused = await on.result(clean);
  expect([refused.status, refused.json]).toMatchObject([400, { error: { code: 'task_not_completed' } }]);
  expect((await on.fired()).filter(({ fault }) => fault === 'sem.content_too_early_bytes')).toMatchObject([
    { request_id: hit.requestId, delta: '0', parameters },
  ]);
});

test('sem.content_too_early_bytes: once it is completed, the content is the MP4', async () => {
  on = await FaultyGateway.start(VIDEO, { fault: 'sem.content_too_early_bytes' });
  const hit = await on.make();
  await on.follow(hit);
  expect((await on.result(hit)).text.slice(4, 8)).toBe('ftyp');
  expect(await on.record(hit, 'settled')).toMatchObject({ amount: '0.4' });
});

test('sem.not_mp4: labelled as one, and no ftyp in it', async () => {
  on = await FaultyGateway.start(VIDEO, { fault: 'sem.not_mp4' });
  const [hit, clean] = [await on.make(), await on.make()];
  await on.follow(hit);
  await on.follow(clean);
  const wrong = await on.result(hit);
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect(wrong.text).not.toContain('ftyp');
  expect((await on.result(clean)).text.slice(4, 8)).toBe('ftyp');
  expect(await on.record(hit, 'settled')).toMatchObject({ amount: '0.4' });
  expect(await on.fired()).toMatchObject([{ fault: 'sem.not_mp4', request_id: hit.requestId, delta: '0' }]);
});

/** Times of creation as the answer to the creating call and a read afterwards tell them. */
async function times(of: FaultyGateway, made: Made): Promise<number[]> {
  if (of.medium.task === null) return [imageAnswer.parse(made.answer.json).created];
  const { created_at } = z.object({ created_at: z.number() }).parse(made.answer.json);
  const read = (await of.told(made)).created_at;
  const result = of.medium === VIDEO ? [] : [(await imageOf(of, made)).created];
  return [created_at, read, ...result];
}

test.each([...MEDIA, ['a video', VIDEO] as const])('sem.clock_skew of %s', async (_name, medium) => {
  on = await FaultyGateway.start(
    medium,
    { fault: 'sem.clock_skew', parameters: { offset_s: -7200 } },
    { fault: 'sem.clock_skew', parameters: { offset_s: 0, unit: 'milliseconds' }, when: { nth: 2 } },
  );
  const [early, thousandfold, clean] = [await on.make(), await on.make(), await on.make()];
  const told = new Map<Made, Set<number>>();
  for (const made of [early, thousandfold, clean]) told.set(made, new Set(await times(on, made)));
  const trueTime = async (made: Made) => (await on?.record(made, 'settled'))?.created_at ?? 0;
  expect([...(told.get(early) ?? [])]).toEqual([(await trueTime(early)) - 7200]);
  expect([...(told.get(thousandfold) ?? [])]).toEqual([(await trueTime(thousandfold)) * 1000]);
  expect([...(told.get(clean) ?? [])]).toEqual([await trueTime(clean)]);
  expect((await on.fired()).map(({ request_id }) => request_id)).toEqual([
    early.requestId,
    thousandfold.requestId,
  ]);
});

const CHAT = { messages: [{ role: 'user', content: 'hello' }], max_tokens: 2 };

test.each([
  [{}, 'unserved-model', true, 404],
  [{ lie: 'hides_served', model: 'aspen-mini' }, 'aspen-mini', false, 200],
] as const)('sem.model_list_lies %j', async (parameters, model, isListed, served) => {
  on = await FaultyGateway.start(IMAGE, { fault: 'sem.model_list_lies', parameters });
  const { gateway } = on;
  const read = async () => {
    const answer = await gateway.call('GET', '/v1/models');
    const list = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(answer.json);
    return { id: answer.headers.get('x-request-id'), ids: list.data.map(({ id }) => id) };
  };
  const [lying, honest] = [await read(), await read()];
  expect(lying.ids.includes(model)).toBe(isListed);
  expect(honest.ids.includes(model)).toBe(!isListed);
  expect((await gateway.call('POST', '/v1/chat/completions', { ...CHAT, model })).status).toBe(served);
  expect(await on.fired()).toMatchObject([
    { fault: 'sem.model_list_lies', request_id: lying.id, delta: '0' },
  ]);
});

test('sem.model_list_lies cannot list what is listed, and then leaves no line', async () => {
  on = await FaultyGateway.start(
    IMAGE,
    { fault: 'sem.model_list_lies', parameters: { model: 'aspen-mini' } },
    { fault: 'sem.no_image_field' },
  );
  await on.gateway.call('GET', '/v1/models');
  await on.make();
  expect((await on.fired()).map(({ fault }) => fault)).toEqual(['sem.no_image_field']);
});
