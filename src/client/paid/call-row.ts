import type { CallRow, CallUnits, CallUsage } from '../../contracts/ledger-lines.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import { unobservedCall } from '../../contracts/unobserved-call.ts';
import { type CallKind, isPaidKind } from '../../core/call-kind.ts';
import { formatInstant, millisecondsBetween } from '../../core/time.ts';
import { otherIds } from '../../wire/other-ids.ts';
import { answerIds } from '../../wire/request-ids.ts';
import { retryAfterSeconds } from '../../wire/retry-after.ts';
import type { Exchanged } from './exchange.ts';
import type { AnswerJudgement } from './judgement.ts';
import type { KeyScrubber } from './key-scrubber.ts';

/** What is known of a call before it is sent. */
export interface CallStart {
  readonly run_id: string;
  readonly instance: string;
  readonly call_id: string;
  readonly logical_id: string;
  readonly scenario: string;
  readonly iteration: number | null;
  readonly turn: number | null;
  readonly kind: CallKind;
  readonly method: 'GET' | 'POST';
  /** Without a query: that of a signed link is a credential. */
  readonly path: string;
  readonly stream: boolean;
  readonly model: string | null;
  readonly key_fp: string | null;
  readonly max_tokens: number | null;
  readonly prompt_bytes: number | null;
  readonly prefixes: CallRow['prefixes'];
  readonly units: CallUnits | null;
  readonly worst_case_usd: string | null;
  readonly bytes_out: number;
}

const MOST_TOOLS = 20;

/** The row of a call; no text of the target enters it but without the key. */
export function callRow(
  start: CallStart,
  seen: Exchanged,
  told: AnswerJudgement,
  scrub: KeyScrubber,
): CallRow {
  const { bytes_out, ...known } = start;
  const { head } = seen;
  const { stream } = told;
  const since = (at: number | null | undefined): number | null => millisecondsBetween(seen.startedAt, at);
  const ids = answerIds(
    (name) => head?.header(name),
    told.request_ids,
    (id) => scrub.id(id),
  );
  const response_id = scrub.id(told.text?.response_id);
  const isAnsweredStream = start.stream && head !== null;
  return unobservedCall({
    ...known,
    // The path of a link is the target's text.
    path: scrub.name(start.path) ?? '',
    started_at: formatInstant(seen.startedWallMs),
    wrote_ms: since(seen.wroteAt),
    headers_ms: since(seen.headersAt),
    first_event_ms: since(stream?.firstEventAt),
    ttft_ms: since(stream?.firstContentAt),
    ttfo_ms: since(stream?.firstVisibleAt),
    end_ms: since(seen.endAt) ?? 0,
    itl: stream?.gaps.sparse() ?? null,
    max_gap_ms: millisecondsBetween(0, stream?.gaps.maxMs),
    events: isAnsweredStream ? (stream?.contentEvents ?? 0) : null,
    chunks: isAnsweredStream ? seen.chunks : null,
    out_chars: told.text?.out_chars ?? null,
    text_sha256: told.text?.text_sha256 ?? told.sha256,
    status: head?.status ?? null,
    outcome: told.outcome,
    error_type: told.error_type,
    blame: BLAME_OF[told.error_type],
    error_code: scrub.name(told.error_code),
    api_error_type: scrub.name(told.api_error_type),
    error_message: scrub.text(told.message),
    request_id: ids[0] ?? null,
    request_ids: ids,
    // Free calls have no record.
    other_ids: isPaidKind(start.kind)
      ? otherIds(
          { headers: head?.headers ?? [], document: told.opening, known: [...ids, response_id] },
          (text) => scrub.id(text),
        )
      : null,
    response_id,
    response_model: scrub.name(told.text?.response_model),
    service_tier: scrub.name(told.text?.service_tier),
    retry_after_s:
      head === null
        ? null
        : retryAfterSeconds(head.header('retry-after'), head.header('date'), seen.startedWallMs),
    finish: scrub.name(told.text?.finish),
    terminal_seen: isAnsweredStream ? (told.text?.terminal_seen ?? null) : null,
    usage: usageWithoutKey(told.usage, scrub),
    tools: toolsWithoutKey(told.text?.tools ?? null, scrub),
    bytes_in: head === null ? null : seen.bytesIn,
    bytes_out,
    conn_reused: seen.connected ? false : null,
    proto: head === null ? null : seen.marks.proto,
  });
}

function usageWithoutKey(usage: CallUsage | null, scrub: KeyScrubber): CallUsage | null {
  return usage === null ? null : { ...usage, raw: scrub.json(usage.raw) };
}

function toolsWithoutKey(tools: CallRow['tools'], scrub: KeyScrubber): CallRow['tools'] {
  if (tools === null) return null;
  const kept = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    kept.slice(0, MOST_TOOLS).map(([name, count]) => [scrub.name(name) ?? '', count]),
  );
}
