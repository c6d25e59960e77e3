import assert from 'node:assert/strict';
import { isObject } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { bearer, CHAT, chatBody } from '../service.ts';

type Service = Parameters<RequirementCase['run']>[0];

/** A request with a field of the wrong type: the plainest error. */
function malformed(service: Service): Promise<Reply> {
  return service.chat({ max_tokens: 'many' });
}

/** Costs more than a cent by its estimate. */
const DEAR = { model: 'aspen-pro', max_tokens: 4096 };

async function withoutCredit(service: Service): Promise<Reply> {
  const { key } = await service.customer({}, { limit_usd: '0.5', spent_usd: '0.5' });
  return service.chat({}, key);
}

async function withNegativeBalance(service: Service): Promise<Reply> {
  const { key } = await service.customer({ balance_usd: '-0.25' });
  return service.chat({}, key);
}

async function aboveBalance(service: Service): Promise<Reply> {
  const { key } = await service.customer({ balance_usd: '0.0321' });
  return service.chat(DEAR, key);
}

async function fromBlockedAccount(service: Service): Promise<Reply> {
  const { key } = await service.customer({ blocked: true });
  return service.chat({}, key);
}

async function fromBlockedKey(service: Service): Promise<Reply> {
  const { key } = await service.customer({}, { blocked: true });
  return service.chat({}, key);
}

const RATE_MS = 60_000;

/** The second of two calls where one is allowed in a minute. */
async function aboveRate(service: Service): Promise<Reply> {
  const { key } = await service.customer({}, { rate: { requests: 1, per_ms: RATE_MS, concurrent: 5 } });
  await service.chat({}, key);
  return service.chat({}, key);
}

export const ERROR_CASES: readonly RequirementCase[] = [
  {
    name: 'a failed model call has an error object',
    requires: ['errors.error_object'],
    run: async (service) => assert.ok(isObject((await malformed(service)).at('error'))),
  },
  ...(['message', 'type', 'code'] as const).map(
    (field): RequirementCase => ({
      name: `the ${field} of an error is a string`,
      requires: [`errors.${field}_string`],
      run: async (service) => {
        const reply = await malformed(service);
        assert.equal(typeof (reply.at('error', field) ?? reply.at(field)), 'string');
      },
    }),
  ),
  {
    name: 'a message is English whatever language is asked for',
    requires: ['errors.english'],
    run: async (service) => {
      const headers = { ...bearer('sk-nobody'), 'accept-language': 'zh-CN, de;q=0.5' };
      const reply = await service.send('POST', CHAT, headers, chatBody());
      assert.match(reply.errorText('message'), /^[\x20-\x7e]+$/);
    },
  },
  {
    name: 'a message includes the request id',
    requires: ['errors.request_id'],
    run: async (service) => {
      const reply = await malformed(service);
      assert.ok(reply.requestId !== '' && reply.errorText('message').includes(reply.requestId));
    },
  },
  {
    name: 'an error without a named reason has an empty code',
    requires: ['errors.code_empty'],
    run: async (service) => assert.equal((await malformed(service)).errorText('code'), ''),
  },
  {
    name: 'a body that is no JSON is refused as malformed',
    requires: ['errors.malformed_400'],
    run: async (service) => {
      for (const path of [CHAT, '/v1/images/generations', '/v1/videos']) {
        assert.equal((await service.post(path, '{"model":')).status, 400, path);
      }
    },
  },
  {
    name: 'a key that has spent its limit is refused with 402',
    requires: ['credit.spent_key_402'],
    run: async (service) => assert.equal((await withoutCredit(service)).status, 402),
  },
  {
    name: 'a negative balance is refused with 402',
    requires: ['credit.negative_balance_402'],
    run: async (service) => assert.equal((await withNegativeBalance(service)).status, 402),
  },
  {
    name: 'an estimate above the balance is refused with 403',
    requires: ['credit.estimate_403'],
    run: async (service) => assert.equal((await aboveBalance(service)).status, 403),
  },
  {
    name: 'no credit has the code insufficient_user_quota',
    requires: ['credit.code_402'],
    run: async (service) => {
      assert.equal((await withoutCredit(service)).errorText('code'), 'insufficient_user_quota');
      assert.equal((await withNegativeBalance(service)).errorText('code'), 'insufficient_user_quota');
    },
  },
  {
    name: 'too little credit has the code insufficient_user_quota',
    requires: ['credit.code_403'],
    run: async (service) => {
      assert.equal((await aboveBalance(service)).errorText('code'), 'insufficient_user_quota');
    },
  },
  {
    name: 'the message about credit states the balance in USD',
    requires: ['credit.message_balance'],
    run: async (service) => {
      assert.match((await aboveBalance(service)).errorText('message'), /\$0\.0321|0\.0321 USD/);
    },
  },
  {
    name: 'images and videos need credit too',
    requires: ['credit.media'],
    run: async (service) => {
      const { key } = await service.customer({ balance_usd: '0.0001' });
      assert.ok((await service.image({}, key)).status >= 400);
      assert.ok((await service.video({}, key)).status >= 400);
    },
  },
  {
    name: 'a call is taken once credit was added',
    requires: ['credit.added_then_taken'],
    run: async (service) => {
      const { key, userId } = await service.customer({ balance_usd: '0.0321' });
      assert.notEqual((await service.chat(DEAR, key)).status, 200);
      await service.control('POST', `/accounts/${userId}/credit`, { amount_usd: '100' });
      assert.equal((await service.chat(DEAR, key)).status, 200);
    },
  },
  {
    name: 'a blocked account is refused with 403',
    requires: ['errors.account_blocked_403'],
    run: async (service) => assert.equal((await fromBlockedAccount(service)).status, 403),
  },
  {
    name: 'a key that is not permitted is refused with 403',
    requires: ['errors.key_not_permitted_403'],
    run: async (service) => assert.equal((await fromBlockedKey(service)).status, 403),
  },
  {
    name: 'a call that is not allowed has the code access_denied',
    requires: ['errors.access_denied'],
    run: async (service) => {
      assert.equal((await fromBlockedAccount(service)).errorText('code'), 'access_denied');
      assert.equal((await fromBlockedKey(service)).errorText('code'), 'access_denied');
    },
  },
  {
    name: 'calls above the rate are 429',
    requires: ['limits.rate_429'],
    run: async (service) => assert.equal((await aboveRate(service)).status, 429),
  },
  {
    name: 'a call above the concurrency is 429',
    requires: ['limits.concurrency_429'],
    run: async ({ slow }) => {
      const { key } = await slow.customer({}, { rate: { requests: 50, per_ms: 1000, concurrent: 1 } });
      const long = { max_tokens: 60 };
      const calls = [slow.chat(long, key), slow.chat(long, key)];
      await Promise.any(calls.map(async (call) => assert.equal((await call).status, 429)));
    },
  },
  {
    name: 'a limit is no credit error',
    requires: ['limits.no_credit_error'],
    run: async (service) => {
      assert.notEqual((await aboveRate(service)).errorText('code'), 'insufficient_user_quota');
    },
  },
  {
    name: 'Retry-After lasts until a call is taken again',
    requires: ['limits.retry_after'],
    run: async (service) => {
      const started = Date.now();
      const told = (await aboveRate(service)).headers.get('retry-after');
      const left_ms = RATE_MS - (Date.now() - started);
      assert.ok(told === null || 1000 * Number(told) >= left_ms, `${told} s for ${left_ms} ms`);
    },
  },
];
