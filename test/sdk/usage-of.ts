import * as z from 'zod';
import type { UsageRecord } from '../../src/contracts/interface.ts';
import type { SdkBench } from './clients.ts';

const page = z.object({ data: z.array(z.custom<UsageRecord>((value) => typeof value === 'object')) });

/** The usage records of one request id. */
export async function usageOf(
  { gateway }: SdkBench,
  requestId: string | null | undefined,
): Promise<UsageRecord[]> {
  const { base_url, api_key } = gateway.ready;
  const response = await fetch(`${base_url}/v1/usage/requests?request_id=${requestId}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  return page.parse(await response.json()).data;
}
