import type { ReadOk } from '../../client/read-result.ts';
import { cursorFault } from '../../client/usage-cursor.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import { fingerprintOf } from '../../config/credentials.ts';
import type { DueRun } from '../schedule/due-run.ts';
import { freeRun } from './free-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';
import { probedWindow } from './usage-run.ts';

/** A probe shows that pages can be read; a bill is read by `reconcile`. */
const MOST_PAGES = 10;
const PAGE_SIZE = 100;

/** The records of the last hour, page by page, and the totals of the same window to hold them against. */
export function usageRequestsRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  const key_fp = fingerprintOf(means.credentials.read('key'));
  return freeRun(means, due, async ({ client, take, wrong }) => {
    const window = probedWindow('1h', means.clock);
    const { probe } = due;
    const pages: ReadOk<UsagePageFrame>[] = [];
    let before: string | null = null;
    let whole = false;
    while (!whole && pages.length < MOST_PAGES) {
      const page: ReadOk<UsagePageFrame> = await take(
        `GET /v1/usage/requests, page ${pages.length + 1}`,
        client.usageRequests({ window, limit: PAGE_SIZE, before }),
      );
      pages.push(page);
      const next = page.body.next_cursor ?? '';
      if (page.body.has_more && (next === '' || next === before))
        wrong(
          `GET /v1/usage/requests: expected a new cursor where has_more is true, found ${next === '' ? 'none' : 'the last one'}`,
        );
      const fault = page.body.has_more ? cursorFault(next) : null;
      if (fault !== null) wrong(`GET /v1/usage/requests: ${fault}`);
      whole = !page.body.has_more;
      before = next;
    }
    const totals = await take('GET /v1/usage of the same window', client.usageTotals({ window }));
    const at_ms = means.clock.now_ms();
    await means.seen({ document: 'records', name: '1h', window, pages, whole, key_fp, probe, at_ms });
    await means.seen({ document: 'totals', name: '1h', window, answer: totals, probe, at_ms });
  });
}
