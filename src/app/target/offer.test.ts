import { expect, test } from 'vitest';
import { loopbackServer, sendJson, testClient } from '../../client/loopback-server.test-support.ts';
import type { ReadFailure } from '../../client/read-result.ts';
import { resolveBilling } from '../../config/resolve-billing.ts';
import { needBill, offeredModels, readOfferOnce } from './offer.ts';

function answering(status: number | null) {
  const failure: ReadFailure = {
    ok: false,
    status,
    code: null,
    message: 'Not Found',
    retryAfterS: null,
    errorType: 'http_4xx',
    requestId: null,
  };
  return { usageRequests: async () => failure };
}

test.for([404, 405, 501])('a target that answers %i to the read of usage has no bill', async (status) => {
  await expect(needBill(answering(status))).rejects.toMatchObject({
    code: 'no_bill',
    exitCode: 2,
    message: expect.stringContaining(`found HTTP ${status}: Not Found; nothing was sent`),
    hint: expect.stringContaining('weighbridge run'),
  });
});

test.for([400, 429, 503, null])('a read that fails with %s proves nothing', async (status) => {
  await expect(needBill(answering(status))).resolves.toMatchObject({ ok: false });
});

async function offerOf(listStatus: number) {
  const server = await loopbackServer((_request, response) =>
    sendJson(response, listStatus, { error: { message: 'no', type: 'x', code: 'y' } }),
  );
  const client = testClient(server.root, {});
  try {
    return await readOfferOnce(client, resolveBilling(undefined, '.'));
  } finally {
    await client.close();
    await server.close();
  }
}

test('a target without a list of models offers what one names', async () => {
  const offer = await offerOf(404);
  expect(offer.models).toBeNull();
  expect(offeredModels(offer)).toEqual([]);
  await expect(offerOf(403)).rejects.toMatchObject({ exitCode: 3 });
});
