import { expect, test } from 'vitest';
import type { ReadFailure } from '../../client/read-result.ts';
import { needBill } from './bill-read.ts';

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
    message: expect.stringContaining(`answered HTTP ${status}: Not Found. No paid call was sent`),
    hint: expect.stringContaining('weighbridge run'),
  });
});

test.for([400, 429, 503, null])('a read that fails with %s proves nothing', async (status) => {
  await expect(needBill(answering(status))).resolves.toMatchObject({ ok: false });
});
