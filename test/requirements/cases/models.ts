import assert from 'node:assert/strict';
import { isObject, objectsIn } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';

const LIST = '/v1/models';

function idsOf(list: Reply): string[] {
  return objectsIn(list.at('data')).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

export const MODEL_CASES: readonly RequirementCase[] = [
  {
    name: 'the model list is read without a key',
    requires: ['models.list_without_key'],
    run: async (service) => assert.equal((await service.get(LIST, null)).status, 200),
  },
  {
    name: 'the public model list is not empty',
    requires: ['models.public_catalog'],
    run: async (service) => assert.ok(idsOf(await service.get(LIST, null)).length > 0),
  },
  {
    name: 'the model list is read with a key',
    requires: ['models.list_with_key'],
    run: async (service) => assert.equal((await service.get(LIST)).status, 200),
  },
  {
    name: 'an invalid key gets no model list',
    requires: ['models.invalid_key_401'],
    run: async (service) => assert.equal((await service.get(LIST, 'sk-nobody')).status, 401),
  },
  {
    name: 'the model list says that it is a list',
    requires: ['models.object_list'],
    run: async (service) => assert.equal((await service.get(LIST)).at('object'), 'list'),
  },
  {
    name: 'the models stand in an array',
    requires: ['models.data_array'],
    run: async (service) => assert.ok(Array.isArray((await service.get(LIST)).at('data'))),
  },
  {
    name: 'every listed model has an id',
    requires: ['models.id_string'],
    run: async (service) => {
      for (const model of objectsIn((await service.get(LIST)).at('data'))) {
        assert.equal(typeof model['id'], 'string');
      }
    },
  },
  {
    name: 'listed ids are called exactly as they are listed',
    requires: ['models.exact_id'],
    run: async (service) => {
      const odd = idsOf(await service.get(LIST)).filter((id) => id.startsWith('elm/'));
      assert.ok(odd.length > 0);
      for (const model of odd) assert.equal((await service.chat({ model })).status, 200, model);
    },
  },
  {
    name: 'a key with a model set lists that set',
    requires: ['models.key_permissions'],
    run: async (service) => {
      const { key } = await service.customer({}, { models: ['aspen-mini', 'orbit-2'] });
      assert.deepEqual(idsOf(await service.get(LIST, key)).sort(), ['aspen-mini', 'orbit-2']);
    },
  },
  {
    name: 'a model outside the set of the key is not found',
    requires: ['models.outside_key_404'],
    run: async (service) => {
      const { key } = await service.customer({}, { models: ['orbit-2'] });
      assert.equal((await service.chat({}, key)).status, 404);
    },
  },
  ...['chat', 'responses', 'image', 'video'].map(
    (kind): RequirementCase => ({
      name: `an unknown model is not found by a ${kind} request`,
      requires: ['models.unknown_404'],
      run: async (service) => assert.equal((await unknownModel(service, kind)).status, 404),
    }),
  ),
  {
    name: 'an unknown model has the code model_not_found',
    requires: ['models.not_found_code'],
    run: async (service) => {
      for (const kind of ['chat', 'responses', 'messages', 'image', 'video']) {
        assert.equal((await unknownModel(service, kind)).errorText('code'), 'model_not_found', kind);
      }
    },
  },
  {
    name: 'an unknown model has the type invalid_request_error',
    requires: ['models.not_found_type'],
    run: async (service) => {
      const reply = await unknownModel(service, 'chat');
      assert.equal(reply.errorText('type'), 'invalid_request_error');
    },
  },
  {
    name: 'the message about an unknown model names it',
    requires: ['models.not_found_names_model'],
    run: async (service) => {
      assert.match((await unknownModel(service, 'chat')).errorText('message'), /no-such-model/);
    },
  },
  {
    name: 'the price book is read without a credential',
    requires: ['pricing.without_credential'],
    run: async (service) => assert.equal((await service.get('/pricing.usd.json', null)).status, 200),
  },
  {
    name: 'the price book is JSON',
    requires: ['pricing.json'],
    run: async (service) => {
      const book = await service.get('/pricing.usd.json', null);
      assert.match(book.type, /^application\/json/);
      assert.ok(isObject(book.json));
    },
  },
  {
    name: 'the price book is the same for every reader',
    requires: ['pricing.global'],
    run: async (service) => {
      const { key } = await service.customer();
      const public_ = await service.get('/pricing.usd.json', null);
      assert.deepEqual((await service.get('/pricing.usd.json', key)).json, public_.json);
    },
  },
];

function unknownModel(service: Parameters<RequirementCase['run']>[0], kind: string): Promise<Reply> {
  const over = { model: 'no-such-model' };
  if (kind === 'responses') return service.responses(over);
  if (kind === 'messages') return service.messages(over);
  if (kind === 'image') return service.image(over);
  return kind === 'video' ? service.video(over) : service.chat(over);
}
