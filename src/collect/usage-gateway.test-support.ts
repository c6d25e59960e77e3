import type { ServerResponse } from 'node:http';
import { type LoopbackServer, loopbackServer, sendJson } from '../client/loopback-server.test-support.ts';
import { formatAmount, parseAmount } from '../core/amount.ts';

export interface StoredRecord {
  readonly id: string;
  readonly request_id: string;
  readonly created_at: number;
  readonly amount: string;
  readonly model?: string;
  readonly billing_status?: string;
  readonly result?: string;
}

export interface UsageBehaviour {
  /** The records there are, newest first; may grow between calls. */
  readonly records: () => readonly StoredRecord[];
  readonly maxLimit?: number;
  readonly refuseLimit?: boolean;
  /** Overrides one page; null leaves it. `page` counts from 1 over the life of the server. */
  readonly page?: (page: number, response: ServerResponse, honest: () => unknown) => unknown;
  readonly totalsRecords?: (honest: number) => unknown;
  /** Instead of USD. */
  readonly currency?: string;
  /** Answers a read of pages or totals by itself; the honest answer follows where it returns false. */
  readonly before?: (url: URL, response: ServerResponse) => boolean;
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
  let answers = 0;
  return loopbackServer((_, response, url) => {
    answers += 1;
    response.setHeader('x-request-id', `answer-${answers}`);
    if (behaviour.before?.(url, response) === true) return undefined;
    const read = (name: string) => url.searchParams.get(name);
    const [start, end] = [Number(read('start_time')), Number(read('end_time'))];
    const inside = behaviour
      .records()
      .filter((record) => record.created_at >= start && record.created_at < end)
      .filter((record) => read('request_id') === null || record.request_id === read('request_id'))
      .filter((record) => read('model') === null || record.model === read('model'));
    if (url.pathname === '/v1/usage') {
      const records = behaviour.totalsRecords?.(inside.length) ?? inside.length;
      return sendJson(response, 200, {
        records,
        settled_amount: settledAmount(inside),
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
      currency: behaviour.currency ?? 'USD',
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

function settledAmount(records: readonly StoredRecord[]): string {
  const settled = records.filter(({ billing_status }) => billing_status === 'settled');
  return formatAmount(settled.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n));
}
