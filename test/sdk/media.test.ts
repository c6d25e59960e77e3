import { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SdkBench, startBench } from './clients.ts';
import { collect } from './collect.ts';
import { usageOf } from './usage-of.ts';

const PNG_START = [0x89, 0x50, 0x4e, 0x47];

let bench: SdkBench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.gateway.close());

test('image generation: b64_json is a PNG of the asked size, url is a link to one', async () => {
  const request = { model: 'lumen-image', prompt: 'a bridge', size: '1024x1536', quality: 'high' } as const;
  const inline = await bench.openai.images.generate({ ...request, response_format: 'b64_json' });
  const bytes = Buffer.from(inline.data?.[0]?.b64_json ?? '', 'base64');
  expect([...bytes.subarray(0, 4)]).toEqual(PNG_START);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1024, 1536]);
  expect(await usageOf(bench, inline._request_id)).toMatchObject([
    { amount: '0.25', billing_status: 'settled' },
  ]);
  const linked = await bench.openai.images.generate(request);
  const image = await fetch(linked.data?.[0]?.url ?? '');
  expect(image.status).toBe(200);
  expect(image.headers.get('content-type')).toBe('image/png');
  const tampered = await fetch(`${linked.data?.[0]?.url}x`);
  expect(tampered.status).toBe(403);
});

test('image edit: multipart with one and with several files', async () => {
  const file = await toFile(Buffer.from(PNG_START), 'in.png', { type: 'image/png' });
  const one = await bench.openai.images.edit({
    model: 'lumen-image-mini',
    prompt: 'more light',
    image: file,
  });
  expect(one.data?.[0]?.url).toMatch(/^http/);
  const several = await bench.openai.images.edit({
    model: 'lumen-image-mini',
    prompt: 'both',
    image: [file, file],
    quality: 'low',
  });
  expect(await usageOf(bench, several._request_id)).toMatchObject([{ amount: '0.005' }]);
});

test('video: created, polled to completion, downloaded whole', async () => {
  const created = await bench.openai.videos.create({ model: 'orbit-2', prompt: 'a ship', seconds: '8' });
  expect(created.status).toBe('queued');
  await expect.poll(async () => (await bench.openai.videos.retrieve(created.id)).status).toBe('completed');
  const content = await bench.openai.videos.downloadContent(created.id);
  const bytes = Buffer.from(await content.arrayBuffer());
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  expect(await usageOf(bench, created._request_id)).toMatchObject([
    { billing_status: 'settled', amount: '0.8', refunded_amount: '0' },
  ]);
});

test('models: every id is listed once', async () => {
  const ids = (await collect(bench.openai.models.list())).map((model) => model.id);
  expect(ids).toHaveLength(46);
  expect(new Set(ids).size).toBe(46);
  expect(Math.max(...ids.map((id) => id.length))).toBe(191);
});
