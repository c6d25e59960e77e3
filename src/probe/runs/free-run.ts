import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadFailure, ReadOk, ReadResult } from '../../client/read-result.ts';
import type { DueRun } from '../schedule/due-run.ts';
import { reportRun, startNow } from './report-run.ts';
import { INTERRUPTED, NO_RUN_FACTS, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** Makes the reads of one run; it stops at the first that fails. */
export interface FreeReads {
  readonly client: GatewayClient;
  /** The answer where it is good; otherwise the run ends there. */
  take<T>(what: string, read: Promise<ReadResult<T>>): Promise<ReadOk<T>>;
  /** An answer that is good as a read and wrong as a document. */
  wrong(what: string): never;
}

/** Reads that cost nothing, judged together. */
export async function freeRun(
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
      failed = { what, failure: answer };
      throw STOP;
    },
    wrong(what) {
      wrong = what;
      throw STOP;
    },
  };
  try {
    await read(reads);
  } catch (error) {
    if (error !== STOP) throw error;
  } finally {
    await client.close();
  }
  if (due.signal.aborted) return INTERRUPTED;
  const { error_type, why, retry_after_ms } = saidOf(failed, wrong);
  const run = reportRun(means, due, start, {
    error_type,
    why,
    retry_after_ms,
    request_id: requestId,
    statuses,
  });
  return { kind: 'ended', run, facts: NO_RUN_FACTS };
}

/** Leaves the reads of a run; never out of it. */
const STOP = Symbol('the run is over');

function saidOf(failed: { what: string; failure: ReadFailure } | null, wrong: string | null) {
  if (failed !== null) {
    const { what, failure } = failed;
    const status = failure.status === null ? '' : `HTTP ${failure.status} `;
    const why = `${what}: expected the document of the interface, found ${status}${failure.message}`;
    const retry_after_ms = failure.retryAfterS === null ? null : failure.retryAfterS * 1000;
    return { error_type: failure.errorType, why, retry_after_ms };
  }
  if (wrong !== null) return { error_type: 'schema_mismatch', why: wrong, retry_after_ms: null } as const;
  return { error_type: 'none', why: null, retry_after_ms: null } as const;
}
