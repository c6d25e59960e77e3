import type { CallRow } from '../../contracts/ledger-lines.ts';
import { millisecondsBetween } from '../../core/time.ts';
import type { Exchanged } from './exchange.ts';
import { type AnswerJudgement, verdictOf } from './judgement.ts';
import type { CallPhases, PaidResult, SinceSent } from './paid-result.ts';
import { noEvents } from './stream-reading.ts';

/** All that is told of a paid call beside its row. */
export function resultOfCall(row: CallRow, seen: Exchanged, told: AnswerJudgement): PaidResult {
  return {
    row,
    free_rows: [],
    phases: phasesOf(seen),
    since_sent: sinceSent(seen, told),
    stream_events: told.stream?.counts() ?? noEvents(),
    content: told.content,
    tls_not_after_ms: seen.marks.tlsNotAfterMs,
    broken_rules: told.broken_rules,
    verdict: verdictOf(told.error_type, told.broken_rules),
  };
}

function phasesOf({ startedAt, marks, wroteAt, headersAt, endAt, head }: Exchanged): CallPhases {
  const { resolvedAt, connectedAt, securedAt } = marks;
  return {
    resolve: millisecondsBetween(startedAt, resolvedAt),
    connect: millisecondsBetween(resolvedAt ?? startedAt, connectedAt),
    tls: millisecondsBetween(connectedAt, securedAt),
    send: millisecondsBetween(securedAt ?? connectedAt, wroteAt),
    wait: millisecondsBetween(wroteAt, headersAt),
    transfer: head === null ? null : millisecondsBetween(headersAt, endAt),
  };
}

function sinceSent({ wroteAt }: Exchanged, { stream }: AnswerJudgement): SinceSent {
  return {
    first_event: millisecondsBetween(wroteAt, stream?.firstEventAt),
    first_content: millisecondsBetween(wroteAt, stream?.firstContentAt),
    last_content: millisecondsBetween(wroteAt, stream?.lastContentAt),
  };
}
