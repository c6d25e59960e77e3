import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadFailure, ReadOk } from '../../client/read-result.ts';
import { cursorFault, cursorName } from '../../client/usage-cursor.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';

export interface PulledPages {
  readonly pages: readonly ReadOk<UsagePageFrame>[];
  /** Null where the last page was reached. */
  readonly problem: string | null;
}

/** Asked for first; left to the gateway where it refuses that. */
const LIMIT = 1000;
/** A gateway whose pages have no end is not read for ever. */
const MOST_PAGES = 2_000;

/** All pages of the request records of a window. */
export async function pullPages(
  client: Pick<GatewayClient, 'usageRequests'>,
  window: UsageWindow,
): Promise<PulledPages> {
  const pages: ReadOk<UsagePageFrame>[] = [];
  const cursors = new Set<string>();
  let limit: number | null = LIMIT;
  for (let before: string | null = null; pages.length < MOST_PAGES; ) {
    const page: ReadOk<UsagePageFrame> | ReadFailure = await client.usageRequests({ window, limit, before });
    if (!page.ok) {
      if (page.status !== 400 || limit === null || pages.length > 0) return { pages, problem: page.message };
      limit = null;
      continue;
    }
    pages.push(page);
    const next: string | null = page.body.has_more ? (page.body.next_cursor ?? '') : null;
    if (next === null) return { pages, problem: null };
    const fault = cursorFault(next);
    if (fault !== null) return { pages, problem: fault };
    if (next === '' || cursors.has(cursorName(next)))
      return { pages, problem: 'more pages are announced, without a cursor to them' };
    cursors.add(cursorName(next));
    before = next;
  }
  return { pages, problem: `there are more than ${MOST_PAGES} pages` };
}
