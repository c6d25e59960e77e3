import { expect, test } from 'vitest';
import { loopbackServer, sendJson, testClient } from '../../client/loopback-server.test-support.ts';
import { resolveBilling } from '../../config/resolve-billing.ts';
import { offeredModels, readOfferOnce } from './offer.ts';

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
