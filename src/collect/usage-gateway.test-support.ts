import type { ServerResponse } from 'node:http';
import { type LoopbackServer, loopbackServer, sendJson } from '../client/loopback-server.test-support.ts';

export interface StoredRecord {
  readonly id: string;
  readonly request_id: string;
  readonly created_at: number;
  readonly amount: string;
}

export interface UsageBehaviour {
  /** The records there are, newest first; may grow between calls. */
  readonly records: () => readonly StoredRecord[];
  readonly maxLimit?: number;
  readonly refuseLimit?: boolean;
  /** Overrides one page; null leaves it. `page` counts from 1 over the life of the server. */
  readonly page?: (page: number, response: ServerResponse, honest: () => unknown) => unknown;
  readonly totalsRecords?: (honest: number) => unknown;
}

export function storedRecords(count: number, from = 1_790_000_000): readonly StoredRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `u${count - index}`,
    request_id: `r${count - index}`,
    created_at: from + count - index - 1,
    amount: '0.10',
  }));
}

/** Usage pages and totals after interface §4, with the faults a test asks for. */
export function usageGateway(behaviour: UsageBehaviour): Promise<LoopbackServer> {
  let pages = 0;
  return loopbackServer((_, response, url) => {
    const read = (name: string) => url.searchParams.get(name);
    const [start, end] = [Number(read('start_time')), Number(read('end_time'))];
    const inside = behaviour
      .records()
      .filter((record) => record.created_at >= start && record.created_at < end)
      .filter((record) => read('request_id') === null || record.request_id === read('request_id'));
    if (url.pathname === '/v1/usage') {
      const records = behaviour.totalsRecords?.(inside.length) ?? inside.length;
      return sendJson(response, 200, {
        records,
        settled_amount: '0.30',
        currency: 'USD',
        start_time: start,
        end_time: end,
      });
    }
    if (behaviour.refuseLimit === true && read('limit') !== null)
      return sendJson(response, 400, {
        error: { message: 'unknown limit', type: 'invalid_request_error', code: '' },
      });
    pages += 1;
    const size = Math.min(Number(read('limit') ?? 2), behaviour.maxLimit ?? 2);
    const offset = read('before') === null ? 0 : Number(read('before'));
    const honest = () => ({
      currency: 'USD',
      data: inside.slice(offset, offset + size),
      next_cursor: offset + size < inside.length ? String(offset + size) : '',
      has_more: offset + size < inside.length,
      start_time: start,
      end_time: end,
    });
    const changed = behaviour.page?.(pages, response, honest) ?? null;
    if (!response.writableEnded) sendJson(response, 200, changed ?? honest());
  });
}
