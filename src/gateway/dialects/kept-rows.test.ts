import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

test('a read after a further call sees it, and another key sees its own', async () => {
  const on = await startTestGateway({ worn: { name: 'litellm', switches: new Set() } });
  gateway = on;
  const { apiKey } = await on.newKey();
  const other = { authorization: `Bearer ${apiKey}` };
  const count = async (headers: Record<string, string> = {}): Promise<number> =>
    z.array(z.unknown()).parse((await on.call('GET', '/spend/logs', undefined, headers)).json).length;
  const ask = () => on.call('POST', '/v1/chat/completions', chatBody({ max_tokens: 1 }));
  await ask();
  expect([await count(), await count(), await count(other)]).toEqual([1, 1, 0]);
  await ask();
  expect([await count(), await count(other), await count()]).toEqual([2, 0, 2]);
});
