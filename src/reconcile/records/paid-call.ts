import type { CallRow, CallUnits, Intent } from '../../contracts/ledger-lines.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import { isPaidKind, isTokenKind, type PaidKind } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';
import { parseInstant } from '../../core/time.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';

/** One paid call of the ledger: its row, its intent, or both. */
export interface PaidCall {
  readonly call_id: string;
  /** Shared by the attempts of one call, which count from 1. */
  readonly logical_id: string;
  readonly attempt: number;
  readonly kind: PaidKind;
  readonly text: boolean;
  readonly model: string;
  readonly started_at: string;
  readonly started_ms: number;
  /** When the client stopped waiting; for a killed process the last moment of which the ledger tells. */
  readonly ended_ms: number;
  /** Null for an intent without a row: the process was killed and nothing more is known. */
  readonly row: CallRow | null;
  readonly outcome: Outcome | 'killed';
  /** Ids under which a record may stand, the surest first. */
  readonly request_ids: readonly string[];
  /** Ids of the answer or task, tried after the request ids. */
  readonly linked_ids: readonly string[];
  readonly prompt_bytes: number | null;
  readonly units: CallUnits | null;
}

/**
 * The paid calls of a ledger by start and call id; intents whose row says `not_sent` are among them. `acceptedSignMs`:
 * the last moment of which calls tell that were taken out of it.
 */
export function paidCalls(
  ledger: Pick<LoadedLedger, 'rows' | 'intents' | 'states'>,
  acceptedSignMs = 0,
): readonly PaidCall[] {
  const intents = new Map(ledger.intents.map((intent) => [intent.call_id, intent]));
  const calls: PaidCall[] = [];
  for (const row of ledger.rows) {
    if (!isPaidKind(row.kind)) continue;
    calls.push(fromRow(row, row.kind, intents.get(row.call_id) ?? null));
  }
  const withRow = new Set(ledger.rows.map(({ call_id }) => call_id));
  const lastSign = Math.max(lastSignOfLife(ledger), acceptedSignMs);
  for (const intent of ledger.intents) {
    if (!withRow.has(intent.call_id)) calls.push(fromIntent(intent, lastSign));
  }
  return calls.sort(
    (left, right) => left.started_ms - right.started_ms || compareText(left.call_id, right.call_id),
  );
}

function fromRow(row: CallRow, kind: PaidKind, intent: Intent | null): PaidCall {
  const startedMs = parseInstant(row.started_at) ?? 0;
  const others = row.request_ids.filter((id) => id !== row.request_id).reverse();
  return {
    call_id: row.call_id,
    logical_id: row.logical_id,
    attempt: row.attempt,
    kind,
    text: isTokenKind(kind),
    model: row.model ?? intent?.model ?? '',
    started_at: row.started_at,
    started_ms: startedMs,
    ended_ms: startedMs + row.end_ms,
    row,
    outcome: row.outcome,
    request_ids: present([row.request_id, ...others]),
    linked_ids: present([row.job?.id ?? null, row.response_id]),
    prompt_bytes: row.prompt_bytes ?? intent?.prompt_bytes ?? null,
    units: row.units ?? intent?.units ?? null,
  };
}

/** The last moment of which a ledger tells: a killed process lived at least until then. */
function lastSignOfLife(ledger: Pick<LoadedLedger, 'rows' | 'intents' | 'states'>): number {
  const moments = [
    ...ledger.rows.map((row) => (parseInstant(row.started_at) ?? 0) + row.end_ms),
    ...ledger.intents.map((intent) => parseInstant(intent.at) ?? 0),
    ...ledger.states.map((state) => parseInstant(state.at) ?? 0),
  ];
  return moments.reduce((last, moment) => Math.max(last, moment), 0);
}

function fromIntent(intent: Intent, lastSign: number): PaidCall {
  const startedMs = parseInstant(intent.at) ?? 0;
  return {
    call_id: intent.call_id,
    logical_id: intent.logical_id,
    attempt: intent.attempt,
    kind: intent.kind,
    text: isTokenKind(intent.kind),
    model: intent.model,
    started_at: intent.at,
    started_ms: startedMs,
    ended_ms: Math.max(startedMs, lastSign),
    row: null,
    outcome: 'killed',
    request_ids: [],
    linked_ids: [],
    prompt_bytes: intent.prompt_bytes,
    units: intent.units,
  };
}

function present(ids: readonly (string | null)[]): readonly string[] {
  return ids.filter((id): id is string => id !== null && id !== '');
}
