import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { CATALOGUE } from '../models/catalogue.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const list = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() }),
  ),
});

/** A smallest request for each kind of model on each of its routes. */
const ROUTES = {
  text: [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 }],
    ['/v1/responses', { input: 'hi', max_output_tokens: 16 }],
    ['/v1/messages', { messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 }],
  ],
  image: [
    ['/v1/images/generations', { prompt: 'a wheel' }],
    ['/v1/images/edits', { prompt: 'a wheel', image: 'x' }],
  ],
  video: [
    ['/v1/videos', { prompt: 'a sail' }],
    ['/v1/videos/generations', { prompt: 'a sail' }],
  ],
} as const;

function sizeOf(id: string): object {
  const model = CATALOGUE.find((candidate) => candidate.id === id);
  return model?.kind === 'video' ? { size: model.tiers[0]?.resolution } : {};
}

test('without a key the whole catalogue, in a stable order and each id once', async () => {
  const read = async () =>
    list
      .parse((await gateway.call('GET', '/v1/models', undefined, { authorization: null })).json)
      .data.map(({ id }) => id);
  const ids = await read();
  expect(ids).toEqual(CATALOGUE.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await read()).toEqual(ids);
});

test('every listed id serves on the routes of its kind, as it is written', async () => {
  const { data } = list.parse((await gateway.call('GET', '/v1/models')).json);
  const kindOf = new Map(CATALOGUE.map(({ id, kind }) => [id, kind]));
  for (const { id } of data) {
    const [[path, body]] = ROUTES[kindOf.get(id) ?? 'text'];
    const answer = await gateway.call('POST', path, { ...body, ...sizeOf(id), model: id });
    expect([id, answer.status]).toEqual([id, 200]);
  }
});

test.each(
  Object.entries(ROUTES).flatMap(([kind, routes]) => routes.map(([path, body]) => ({ kind, path, body }))),
)(
  '$path: a model outside the key is 404 and named, one of another kind is 400',
  async ({ kind, path, body }) => {
    const { apiKey } = await gateway.newKey({ key: { models: ['aspen-nano', 'nimbus-dev@1', 'orbit-2'] } });
    const headers = { authorization: `Bearer ${apiKey}` };
    const ask = (model: string) => gateway.call('POST', path, { ...body, model }, headers);
    for (const model of ['aspen', 'lumen-image', 'orbit-2-pro', 'no-such-model', ' aspen-nano', 'Orbit-2']) {
      const refused = await ask(model);
      expect([model, refused.status, refused.json]).toMatchObject([
        model,
        404,
        {
          error: {
            code: 'model_not_found',
            type: 'invalid_request_error',
            message: expect.stringContaining(`'${model}'`),
          },
        },
      ]);
    }
    const stranger = kind === 'text' ? 'orbit-2' : 'aspen-nano';
    const wrongKind = await ask(stranger);
    expect([wrongKind.status, wrongKind.text]).toMatchObject([400, expect.stringContaining(stranger)]);
  },
);
