import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../../client/read-result.ts';
import { cursorFault } from '../../client/usage-cursor.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import { fingerprintOf } from '../../config/credentials.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { FreeDocument, WatchedWindow } from '../watch/target-watch.ts';
import { endedRun, startNow } from './report-run.ts';
import { INTERRUPTED, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** The account that the access token opens. */
export function accountRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, seen }) =>
    seen({ document: 'account', answer: await take('GET /api/user/self', client.account()) }),
  );
}

/** The model list, without a credential and with the key where there is one; each must name models. */
export function modelsRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, seen, wrong }) => {
    const credentials =
      means.credentials.read('key') === null ? (['none'] as const) : (['none', 'key'] as const);
    for (const credential of credentials) {
      const withKey = credential === 'key';
      const what = `GET /v1/models ${withKey ? 'with' : 'without'} the key`;
      const served = client.models(withKey);
      // Other families show no list without a key.
      if (!withKey && (await served).status === 401 && (await client.settleDialect()) !== 'interface')
        continue;
      const answer = await take(what, served);
      await seen({ document: 'models', credential, answer });
      if (answer.body.data.length === 0) wrong(`${what}: expected models, found an empty list`);
    }
  });
}

/** The price book, which paid probes are priced by from then on. */
export function pricebookRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, seen, wrong }) => {
    const answer = await take('GET /pricing.usd.json', client.priceBook());
    const { book, problems } = means.book.take(answer);
    await seen({ document: 'pricebook', answer, book, problems });
    if (book === null)
      wrong(`GET /pricing.usd.json: expected a book that can be read, found ${problems[0] ?? 'none'}`);
  });
}

/** A probe shows that pages can be read; a bill is read by `reconcile`. */
const MOST_PAGES = 10;
const PAGE_SIZE = 100;

/** The records of the last hour, page by page, and the totals of the same window to hold them against. */
export function usageRequestsRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  const key_fp = fingerprintOf(means.credentials.read('key'));
  return freeRun(means, due, async ({ client, take, seen, wrong }) => {
    const window = probedWindow('1h', means.clock);
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
    await seen(
      { document: 'records', name: '1h', window, pages, whole, key_fp },
      { document: 'totals', name: '1h', window, answer: totals },
    );
  });
}

const SECONDS: Readonly<Record<WatchedWindow, number>> = { '1h': 3_600, '1d': 86_400, '30d': 30 * 86_400 };

/** Ends with the second that is whole: what it holds can still be settled, and no record comes into it any more. */
function probedWindow(name: WatchedWindow, clock: Pick<ProbeClock, 'now_ms'>): UsageWindow {
  const end = Math.floor(clock.now_ms() / 1000);
  return { start: end - SECONDS[name], end };
}

/** The totals of the last hour, day and 30 days. */
export function usageRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take, seen }) => {
    for (const name of ['1h', '1d', '30d'] as const) {
      const window = probedWindow(name, means.clock);
      const answer = await take(`GET /v1/usage of ${name}`, client.usageTotals({ window }));
      await seen({ document: 'totals', name, window, answer });
    }
  });
}

/** Makes the reads of one run; it stops at the first that fails. */
interface FreeReads {
  readonly client: GatewayClient;
  /** The answer where it is good; otherwise the run ends there. */
  take<T>(what: string, read: Promise<ReadResult<T>>): Promise<ReadOk<T>>;
  /** Documents that are whole now. */
  seen(...documents: readonly FreeDocument[]): Promise<void>;
  /** An answer that is good as a read and wrong as a document. */
  wrong(what: string): never;
}

/** Reads that cost nothing, judged together. */
async function freeRun(
  means: TargetMeans,
  due: DueRun,
  read: (reads: FreeReads) => Promise<void>,
): Promise<RunOutcome> {
  const start = startNow(means);
  const client = means.reads(due.probe.timeout_ms, due.signal);
  const statuses: number[] = [];
  let requestId: string | null = null;
  let failed: { what: string; failure: ReadFailure } | null = null;
  let wrong: string | null = null;
  const reads: FreeReads = {
    client,
    async take(what, pending) {
      const answer = await pending;
      if (answer.status !== null) statuses.push(answer.status);
      requestId = answer.requestId;
      if (answer.ok) return answer;
      if (answer.code === 'not_offered') throw NOT_THERE;
      failed = { what, failure: answer };
      throw STOP;
    },
    async seen(...documents) {
      const at_ms = means.clock.now_ms();
      for (const document of documents) await means.seen({ ...document, probe: due.probe, at_ms });
    },
    wrong(what) {
      wrong = what;
      throw STOP;
    },
  };
  try {
    await read(reads);
  } catch (error) {
    if (error === NOT_THERE) return { kind: 'skipped', reason: 'paused' };
    if (error !== STOP) throw error;
  } finally {
    await client.close();
  }
  if (due.signal.aborted) return INTERRUPTED;
  const { error_type, why, retry_after_ms } = saidOf(failed, wrong);
  return endedRun(means, due, start, { error_type, why, retry_after_ms, request_id: requestId, statuses });
}

/** Leaves the reads of a run; never out of it. */
const STOP = Symbol('the run is over');

/** The dialect of the target has no such read: that is no fault of anybody. */
const NOT_THERE = Symbol('the target does not serve it');

function saidOf(failed: { what: string; failure: ReadFailure } | null, wrong: string | null) {
  if (failed !== null) {
    const { what, failure } = failed;
    const status = failure.status === null ? '' : `HTTP ${failure.status} `;
    const why = `${failure.read ?? what}: expected the document of the interface, found ${status}${failure.message}`;
    const retry_after_ms = failure.retryAfterS === null ? null : failure.retryAfterS * 1000;
    return { error_type: failure.errorType, why, retry_after_ms };
  }
  if (wrong !== null) return { error_type: 'schema_mismatch', why: wrong, retry_after_ms: null } as const;
  return { error_type: 'none', why: null, retry_after_ms: null } as const;
}
