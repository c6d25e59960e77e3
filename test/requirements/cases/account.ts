import assert from 'node:assert/strict';
import { isObject, type JsonObject, objectsIn } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';

/** The account record, also where it stands in a list. */
function accountOf(reply: Reply): JsonObject {
  const data = reply.at('data');
  return isObject(data) ? data : (objectsIn(data)[0] ?? {});
}

export const ACCOUNT_CASES: readonly RequirementCase[] = [
  {
    name: 'the account is read with token and user id',
    requires: ['account.read_200'],
    run: async (service) => assert.equal((await service.self(await service.customer())).status, 200),
  },
  {
    name: 'a read of the account says that it had success',
    requires: ['account.success_true'],
    run: async (service) => {
      assert.equal((await service.self(await service.customer())).at('success'), true);
    },
  },
  {
    name: 'the account stands in data',
    requires: ['account.data'],
    run: async (service) => {
      assert.ok(isObject((await service.self(await service.customer())).at('data')));
    },
  },
  {
    name: 'the id of the account is the one of the header',
    requires: ['account.id'],
    run: async (service) => {
      const customer = await service.customer();
      assert.equal(accountOf(await service.self(customer))['id'], customer.userId);
    },
  },
  {
    name: 'the quota of an account shrinks with its calls',
    requires: ['account.quota'],
    run: async (service) => {
      const customer = await service.customer();
      const before = accountOf(await service.self(customer))['quota'];
      await service.image({}, customer.key);
      const after = accountOf(await service.self(customer))['quota'];
      assert.ok(typeof before === 'number' && typeof after === 'number' && after < before);
    },
  },
  {
    name: 'the used quota of an account grows with its calls',
    requires: ['account.used_quota'],
    run: async (service) => {
      const customer = await service.customer();
      const before = accountOf(await service.self(customer))['used_quota'];
      await service.image({}, customer.key);
      const after = accountOf(await service.self(customer))['used_quota'];
      assert.ok(typeof before === 'number' && typeof after === 'number' && after > before);
    },
  },
  {
    name: 'the account counts its requests',
    requires: ['account.request_count'],
    run: async (service) => {
      const customer = await service.customer();
      await service.chat({}, customer.key);
      const count = accountOf(await service.self(customer))['request_count'];
      assert.ok(typeof count === 'number' && count > 0);
    },
  },
  {
    name: 'the account holds the calls of all its keys',
    requires: ['account.all_keys', 'account.request_count'],
    run: async (service) => {
      const customer = await service.customer();
      await service.chat({}, customer.key);
      await service.chat({}, await service.keyOf(customer.userId));
      assert.equal(accountOf(await service.self(customer))['request_count'], 2);
    },
  },
];
