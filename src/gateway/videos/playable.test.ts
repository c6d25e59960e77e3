import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { decodeErrors, probe } from '../media/ffmpeg.test-support.ts';
import { VIDEO_MODELS } from '../models/catalogue.ts';
import { IMAGE_MODELS } from '../models/image-models.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

const FRAMES_PER_SECOND = 8;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

async function download(path: string): Promise<Buffer> {
  const { base_url, api_key } = gateway.running.ready;
  const response = await fetch(new URL(path, base_url), { headers: { authorization: `Bearer ${api_key}` } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Every size of every model, at its shortest and its longest. */
const VIDEOS = VIDEO_MODELS.flatMap((model) =>
  model.tiers.flatMap(({ resolution }) =>
    [1, model.max_seconds].map((seconds) => ({ model: model.id, size: resolution, seconds })),
  ),
);

async function serveVideo(asked: object): Promise<Buffer> {
  const created = await gateway.call('POST', '/v1/videos', { ...asked, prompt: 'a sail' });
  const { id } = z.object({ id: z.string() }).parse(created.json);
  await expect
    .poll(async () => (await gateway.call('GET', `/v1/videos/${id}`)).json, { interval: 10 })
    .toMatchObject({ status: 'completed' });
  return download(`/v1/videos/${id}/content`);
}

const PROBED = new Map<string, ReturnType<typeof probe>>();

/** Models share the files of a size and length: each is looked at once. */
function probeOnce(bytes: Buffer): ReturnType<typeof probe> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const found = PROBED.get(digest) ?? probe(bytes);
  PROBED.set(digest, found);
  return found;
}

describe('ffprobe decodes every frame of a served MP4', () => {
  test.each(VIDEOS)('$model $size $seconds s', async ({ model, size, seconds }) => {
    const bytes = await serveVideo({ model, size, seconds });
    const found = await probeOnce(bytes);
    const [width, height] = size.split('x').map(Number);
    expect(found.errors).toBe('');
    expect(found.format.format_name).toContain('mp4');
    expect(found.streams).toMatchObject([
      {
        codec_name: 'h264',
        width,
        height,
        duration: seconds,
        nb_read_frames: seconds * FRAMES_PER_SECOND,
        avg_frame_rate: `${FRAMES_PER_SECOND}/1`,
      },
    ]);
    // The longest of the largest costs no more than this in memory, once for all tasks.
    expect(bytes.length).toBeLessThan(16_384);
  });

  test('a player finds no error either; in a file with a byte missing it does', async () => {
    const bytes = await serveVideo({ model: 'pampas-fast', size: '1920x1080', seconds: 8 });
    expect(await decodeErrors(bytes)).toBe('');
    const torn = Buffer.concat([bytes.subarray(0, -3000), Buffer.alloc(2999, 0xa5)]);
    expect(await decodeErrors(torn)).not.toBe('');
  });
});

const SIZES = [...new Set(IMAGE_MODELS.flatMap(({ tiers }) => tiers.map(({ size }) => size)))];

test.each(SIZES)('ffprobe decodes the PNG of %s, in the size that was asked for', async (size) => {
  const model = IMAGE_MODELS.find(({ tiers }) => tiers.some((tier) => tier.size === size))?.id;
  const asked = { model, prompt: 'a wheel', size };
  const answered = await gateway.call('POST', '/v1/images/generations', asked);
  const image = z
    .object({ size: z.string(), data: z.tuple([z.object({ url: z.string() })]) })
    .parse(answered.json);
  const bytes = await download(image.data[0].url);
  const [width, height] = image.size.split('x').map(Number);
  const found = await probe(bytes);
  expect([image.size, found.errors]).toEqual([size === 'auto' ? '1024x1024' : size, '']);
  expect(found.streams).toMatchObject([{ codec_name: 'png', width, height, nb_read_frames: 1 }]);
  expect(bytes.length).toBeLessThan(5000);

  const inline = await gateway.call('POST', '/v1/images/generations', {
    ...asked,
    response_format: 'b64_json',
  });
  const { b64_json } = z.object({ data: z.tuple([z.object({ b64_json: z.base64() })]) }).parse(inline.json)
    .data[0];
  expect(Buffer.from(b64_json, 'base64').equals(bytes)).toBe(true);
});
