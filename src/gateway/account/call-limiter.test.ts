import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { CallLimiter } from './call-limiter.ts';

describe('rate', () => {
  test('a full burst passes, the next call waits for its slot and then passes', () => {
    const limiter = new CallLimiter({ requests: 60, per_ms: 10_000, concurrent: 1000 });
    const burst = Array.from({ length: 60 }, () => limiter.admit(5000));
    expect(burst.every((wait) => wait === null)).toBe(true);
    expect(limiter.admit(5000)).toBe(1);
    expect(limiter.admit(5160)).toBe(1);
    expect(limiter.admit(5167)).toBeNull();
    expect(limiter.admit(5167)).toBe(1);
  });

  test('a refused call waits at most what it is told', () => {
    const limiter = new CallLimiter({ requests: 1, per_ms: 10_000, concurrent: 1000 });
    expect(limiter.admit(0)).toBeNull();
    const wait = limiter.admit(2500) ?? 0;
    expect(wait).toBe(8);
    expect(limiter.admit(2500 + wait * 1000)).toBeNull();
  });

  test('idle time does not add up to more than one burst', () => {
    const limiter = new CallLimiter({ requests: 2, per_ms: 1000, concurrent: 1000 });
    limiter.admit(0);
    const later = [1, 2, 3].map(() => limiter.admit(1_000_000));
    expect(later).toEqual([null, null, 1]);
  });
});

test('concurrency: the slot of a call that ended is free again', () => {
  const limiter = new CallLimiter({ requests: 100, per_ms: 1000, concurrent: 2 });
  expect([limiter.admit(0), limiter.admit(0), limiter.admit(0)]).toEqual([null, null, 1]);
  limiter.release();
  expect(limiter.admit(0)).toBeNull();
});

describe('over HTTP', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.running.close());

  test('429 with Retry-After and an empty code; it leaves no record', async () => {
    const { apiKey } = await gateway.newKey({
      key: { rate: { requests: 2, per_ms: 600_000, concurrent: 5 } },
    });
    const headers = { authorization: `Bearer ${apiKey}` };
    const call = () => gateway.call('POST', '/v1/chat/completions', chatBody({ max_tokens: 1 }), headers);
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(refused.json).toMatchObject({ error: { code: '', type: 'new_api_error' } });
    expect((await gateway.call('GET', '/v1/usage', undefined, headers)).json).toMatchObject({ records: 2 });
  });

  test('ended and refused calls hold no slot', async () => {
    const rate = { requests: 100, per_ms: 1000, concurrent: 1 };
    const { apiKey } = await gateway.newKey({ balance_usd: '0.0001', key: { rate } });
    const headers = { authorization: `Bearer ${apiKey}` };
    const status = async (max_tokens: number) =>
      (await gateway.call('POST', '/v1/chat/completions', chatBody({ max_tokens }), headers)).status;
    expect([await status(1), await status(4096), await status(4096), await status(1)]).toEqual([
      200, 403, 403, 200,
    ]);
  });
});
