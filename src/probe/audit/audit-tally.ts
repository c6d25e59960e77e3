import type { BillingDeadlines } from '../../contracts/billing-terms.ts';
import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { MISMATCH_KINDS } from '../../contracts/metrics/label-values.ts';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { PaidCall } from '../../reconcile/records/paid-call.ts';
import { type AuditedCall, type AuditState, NOTHING_AUDITED, type Verdict } from './audit-state.ts';

/** After its deadline a call is held against records this much longer; what then is still open cannot be checked. */
export const REST_MS = 2 * 3_600_000;

export interface TallyInput {
  readonly state: AuditState;
  /** Every own call from the start of the window that was read. */
  readonly calls: readonly PaidCall[];
  readonly judged: Pick<Reconciliation, 'calls' | 'findings'>;
  readonly deadlines: Pick<BillingDeadlines, 'text_ms' | 'task_ms'>;
  /** When the records were read. */
  readonly now_ms: number;
  /** Calls that started before are never read again, and need not be remembered. */
  readonly forget_before_ms: number;
}

export interface SettledCall {
  /** Of the probe. */
  readonly scenario: string | null;
  readonly request_ids: readonly string[];
  readonly ended_ms: number;
  readonly usd: PicoUsd | null;
}

/** What a round adds to the metrics, and what is known after it. */
export interface Tally {
  readonly state: AuditState;
  /** Verdicts that became final, a call each. */
  readonly verdicts: readonly Verdict[];
  /** Of findings that were not counted before. */
  readonly mismatches: readonly MismatchKind[];
  /** Calls whose record these reads saw settled for the first time. */
  readonly settled: readonly SettledCall[];
  /** Final findings of this round. */
  readonly classes: ReadonlyMap<FaultClass, number>;
  readonly open: number;
}

/** Takes one judgement of own calls into account; each call, charge and finding counts once over all rounds. */
export function auditTally(input: TallyInput): Tally {
  const { state, calls, judged } = input;
  const byCall = new Map(
    judged.calls.flatMap((call) => (call.call_id === null ? [] : [[call.call_id, call]])),
  );
  const final = judged.findings.filter(({ provisional }) => !provisional);
  const waiting = new Set(judged.findings.flatMap((each) => (each.provisional ? (each.call_id ?? []) : [])));
  const verdicts: Verdict[] = [];
  const settled: Tally['settled'][number][] = [];
  const after: Record<string, AuditedCall> = {};
  for (const call of calls) {
    const before = state.calls[call.call_id] ?? {
      started_ms: call.started_ms,
      verdict: null,
      settled: false,
    };
    const judgedCall = byCall.get(call.call_id) ?? null;
    const verdict = before.verdict ?? verdictOf(input, call, judgedCall, waiting.has(call.call_id));
    if (verdict !== null && before.verdict === null) verdicts.push(verdict);
    const isSettled = before.settled || (judgedCall !== null && hasSettled(judgedCall));
    if (isSettled && !before.settled) {
      const { request_ids, ended_ms } = call;
      settled.push({
        scenario: call.row?.scenario ?? null,
        request_ids,
        ended_ms,
        usd: chargeOf(judgedCall),
      });
    }
    after[call.call_id] = { ...before, verdict, settled: isSettled };
  }
  const { counted, mismatches } = mismatchesOf(input, final);
  return {
    state: { ...NOTHING_AUDITED, calls: { ...rememberedCalls(input), ...after }, findings: counted },
    verdicts,
    mismatches,
    settled,
    classes: new Map(
      [...Map.groupBy(final, (finding) => finding.class)].map(([name, group]) => [name, group.length]),
    ),
    open: Object.values(after).filter(({ verdict }) => verdict === null).length,
  };
}

/** A round reads the window of calls that are open: those before it are remembered, lest they look new. */
function rememberedCalls({ state, forget_before_ms }: TallyInput): AuditState['calls'] {
  return Object.fromEntries(
    Object.entries(state.calls).filter(([, { started_ms }]) => started_ms >= forget_before_ms),
  );
}

/** Null while it may still become another one. */
function verdictOf(
  { deadlines, now_ms }: TallyInput,
  call: PaidCall,
  judged: JudgedCall | null,
  waiting: boolean,
): Verdict | null {
  const deadline = deadlineOf(call, deadlines);
  const age = now_ms - call.ended_ms;
  const verdict = judged?.verdict ?? 'provisional';
  if (waiting || verdict === 'provisional') return age > deadline + REST_MS ? 'not_checkable' : null;
  if (verdict === 'not_checkable') return age > deadline ? verdict : null;
  // No charge where none is due: 0 is within what it may cost. A record may come until the deadline.
  if (verdict === 'not_charged') return age > deadline ? 'within_bounds' : null;
  return verdict;
}

/** How long a record of the call may be waited for. */
function deadlineOf(call: PaidCall, deadlines: TallyInput['deadlines']): number {
  const quick = call.text || call.kind === 'image' || call.kind === 'image_edit';
  return quick ? deadlines.text_ms : deadlines.task_ms;
}

function hasSettled({ records, record }: JudgedCall): boolean {
  const all = records ?? (record === null ? [] : [record]);
  return all.length > 0 && all.every(({ role }) => role !== 'pending' && role !== 'unknown');
}

function chargeOf(judged: JudgedCall | null): PicoUsd | null {
  const text = judged?.money?.charged ?? judged?.charged ?? null;
  return text === null ? null : parseAmount(text);
}

/** Findings about own calls by the call: the evidence of one may grow from round to round, and its id with it. */
function mismatchesOf(
  { state, calls, now_ms, forget_before_ms }: TallyInput,
  final: readonly Finding[],
): { readonly counted: Readonly<Record<string, number>>; readonly mismatches: readonly MismatchKind[] } {
  const owner = new Map(calls.flatMap((call) => call.request_ids.map((id) => [id, call.call_id] as const)));
  const ids = new Set(calls.map(({ call_id }) => call_id));
  const mismatches: MismatchKind[] = [];
  const counted: Record<string, number> = {};
  for (const [key, at] of Object.entries(state.findings)) if (at >= forget_before_ms) counted[key] = at;
  for (const finding of final) {
    const named = finding.call_id ?? owner.get(finding.request_id ?? '') ?? null;
    if (named === null || !ids.has(named)) continue;
    const key = JSON.stringify([finding.class, finding.rule, named]);
    if (counted[key] !== undefined) continue;
    counted[key] = now_ms;
    mismatches.push(MISMATCH_KIND_OF[finding.class]);
  }
  return { counted, mismatches };
}

type MismatchKind = (typeof MISMATCH_KINDS)[number];

/** In which point a record disagrees with its call, for every class of a finding. */
export const MISMATCH_KIND_OF: { readonly [C in FaultClass]: MismatchKind } = {
  duplicate_charge: 'duplicate',
  retry_double_charge: 'duplicate',
  unrecorded_request: 'missing',
  phantom_record: 'duplicate',
  charged_on_rejected: 'amount',
  charged_on_server_error: 'amount',
  charged_empty_output: 'amount',
  uncharged_success: 'amount',
  disconnect_overcharge: 'amount',
  disconnect_undercharge: 'amount',
  estimated_usage_not_flagged: 'tokens',
  token_mismatch: 'tokens',
  cache_double_charge: 'amount',
  cache_read_at_full_price: 'amount',
  cache_write_unbilled: 'amount',
  negative_component: 'amount',
  reasoning_double_count: 'tokens',
  tier_not_applied: 'amount',
  service_tier_price: 'amount',
  wrong_model_price: 'model',
  stale_price_version: 'amount',
  group_ratio_wrong: 'amount',
  rounding_bias: 'amount',
  minimum_charge_unexpected: 'amount',
  image_price: 'amount',
  tool_surcharge: 'amount',
  video_units_wrong: 'amount',
  failed_task_not_refunded: 'amount',
  partial_refund_wrong: 'amount',
  double_refund: 'duplicate',
  reservation_leak: 'amount',
  settle_above_reserve: 'amount',
  state_regression: 'amount',
  totals_disagree_records: 'amount',
  by_model_or_daily_partition: 'amount',
  day_boundary_shift: 'time',
  unknown_records: 'unpriced',
  page_gap_or_overlap: 'missing',
  window_semantics: 'time',
  filter_mismatch: 'model',
  price_book_incoherent: 'unpriced',
  precision_loss: 'amount',
  account_counter_drift: 'amount',
  currency_or_unit_error: 'amount',
  late_posting: 'time',
  amount_mismatch: 'amount',
  unknown_status: 'unpriced',
  price_book_unreadable: 'unpriced',
  bill_disagrees: 'amount',
};
