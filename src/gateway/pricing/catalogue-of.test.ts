import { afterEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  return gateway;
}

async function reserved(on: TestGateway): Promise<readonly string[]> {
  return (await on.records()).map(({ reserved_amount }) => reserved_amount).reverse();
}

test('an edit costs a fee beside its image, at changed prices too', async () => {
  const on = await start('image_edits: fee\n');
  const image = { model: 'lumen-image', prompt: 'x' };
  await on.call('POST', '/v1/images/generations', image);
  await on.call('POST', '/v1/images/edits', { ...image, image: 'cGljdHVyZQ==' });
  await on.control('PUT', '/prices', { factor: '2' });
  await on.call('POST', '/v1/images/edits/jobs', { ...image, image: 'cGljdHVyZQ==' });
  expect(await reserved(on)).toEqual(['0.042', '0.047', '0.094']);
});

test('a video costs the same, whatever its seconds', async () => {
  const on = await start('video_price: per_video\n');
  const video = { model: 'orbit-2', prompt: 'x', size: '1280x720' };
  for (const seconds of ['4', '8']) await on.call('POST', '/v1/videos', { ...video, seconds });
  expect(await reserved(on)).toEqual(['0.1', '0.1']);
});

test.each([
  ['plain', ['"edit_fee":"0.005"', '"unit":"per_video"'], '"per_second"'],
  ['ratio', ['"edit_fee":"0.005"', '"per":"video"'], '"per":"second"'],
  ['per_token', ['"edit_fee":"0.005"', '"pricing":{"video":"0.10"}'], '"second"'],
])('the book tells both: %s', async (layout, told, untold) => {
  const on = await start(`image_edits: fee\nvideo_price: per_video\nbook_layout: ${layout}\n`);
  const { text } = await on.call('GET', '/pricing.usd.json');
  expect(told.filter((part) => !text.includes(part))).toEqual([]);
  expect(text).not.toContain(untold);
});
