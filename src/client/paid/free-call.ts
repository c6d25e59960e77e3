import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { FreeKind } from '../../core/call-kind.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';
import type { SentCall } from './call-sender.ts';
import type { ExpectedAnswer } from './judge-answer.ts';

/** The paid call that a free read belongs to. */
export type PaidCallOf = Pick<CallRow, 'call_id' | 'logical_id' | 'scenario' | 'model'>;

interface FreeRead {
  readonly kind: FreeKind;
  /** From 1 on, one count for all reads of a paid call. */
  readonly read: number;
  readonly url: URL;
  readonly path: string;
  readonly auth: SentCall['auth'];
  readonly timeouts: ExchangeTimeouts;
  readonly expected: ExpectedAnswer;
}

/** A read that is never charged; its id begins with that of the paid call. */
export function freeCall(
  { runId, instance }: { readonly runId: string; readonly instance: string },
  paid: PaidCallOf,
  { kind, read, url, path, auth, timeouts, expected }: FreeRead,
): SentCall {
  return {
    start: {
      run_id: runId,
      instance,
      call_id: `${paid.call_id}/${kind}/${read}`,
      logical_id: paid.logical_id,
      scenario: paid.scenario,
      iteration: null,
      turn: null,
      kind,
      method: 'GET',
      path,
      stream: false,
      model: paid.model,
      max_tokens: null,
      prompt_bytes: null,
      units: null,
      worst_case_usd: null,
    },
    url,
    headers: {},
    body: null,
    auth,
    timeouts,
    expected,
  };
}
