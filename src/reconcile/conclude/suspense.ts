import type { Finding } from '../../contracts/finding.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import type { SuspenseBridge, SuspenseSum } from '../../contracts/result-money.ts';
import { SUSPENSE_SCHEMA, type SuspenseItem } from '../../contracts/suspense.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { formatInstant, instantOfSecond, parseInstant } from '../../core/time.ts';
import type { ServedRecord } from '../records/served-record.ts';

/** What a run knows of the open items of the runs before it, and of its own. */
export interface SuspenseInput {
  readonly run_id: string;
  /** Carried over from earlier runs of the same state and key, as they stood before this run. */
  readonly opening: readonly SuspenseItem[];
  readonly calls: readonly JudgedCall[];
  readonly findings: readonly Finding[];
  /** Every record read, those of earlier runs too. */
  readonly records: readonly ServedRecord[];
  readonly last_read_ms: number | null;
}

export interface SuspenseOutcome {
  /** By id; cleared ones too, with what cleared them. */
  readonly items: readonly SuspenseItem[];
  readonly bridge: SuspenseBridge;
}

/** The suspense account after this run: opening + added − cleared = closing, in items and in the most they can cost. */
export function suspenseAccount(input: SuspenseInput): SuspenseOutcome {
  const { opening, run_id } = input;
  const own = new Map(openItems(input).map((item) => [item.id, item]));
  // A record of another time that was only asked for by its id is judged by its own state alone.
  const ours = input.calls.filter(({ match }) => !isNotOurs(match));
  const judged = new Map(ours.map((call) => [idOf(call), call]));
  const byRequest = Map.groupBy(input.records, (record) => record.request_id);
  const before = new Set(opening.map(({ id }) => id));
  const added = [...own.values()].filter(({ id }) => !before.has(id));
  const carried = opening.map((item): SuspenseItem => {
    const still = own.get(item.id);
    if (still !== undefined) {
      const { first_run, first_seen } = item;
      return { ...still, amount_lo: item.amount_lo, amount_hi: item.amount_hi, first_run, first_seen };
    }
    const call = judged.get(item.id);
    const by =
      call === undefined || isUnjudged(call)
        ? clearedByRecord(item, byRequest)
        : clearedBy(call, input.findings);
    if (by !== null) return { ...item, last_run: run_id, state: 'cleared', cleared_by: by };
    return { ...item, state: isOverdue(item.deadline_at, input.last_read_ms) ? 'overdue' : item.state };
  });
  const items = [...carried, ...added].sort((left, right) => (left.id < right.id ? -1 : 1));
  return {
    items,
    bridge: {
      opening: sumOf(opening),
      added: sumOf(added),
      cleared: sumOf(carried.filter(({ state }) => state === 'cleared')),
      closing: sumOf(items.filter(({ state }) => state !== 'cleared')),
    },
  };
}

function openItems({ run_id, calls, findings, last_read_ms }: SuspenseInput): readonly SuspenseItem[] {
  const deadlines = new Map(
    findings.flatMap(({ call_id, deadline_at }) =>
      call_id === null || deadline_at === null ? [] : [[call_id, deadline_at] as const],
    ),
  );
  return calls
    .filter(({ verdict }) => verdict === 'provisional')
    .map((call): SuspenseItem => {
      const { kind, model, request_id, expected_lo, expected_hi, started_at, record } = call;
      const dated = record?.created_at ?? null;
      return {
        schema: SUSPENSE_SCHEMA,
        id: idOf(call),
        request_id,
        kind,
        model,
        amount_lo: expected_lo,
        amount_hi: expected_hi,
        since: started_at ?? instantOfSecond(dated),
        deadline_at: deadlines.get(call.call_id ?? '') ?? null,
        first_run: run_id,
        first_seen: last_read_ms === null ? null : formatInstant(last_read_ms),
        last_run: run_id,
        state: 'open',
        cleared_by: null,
      };
    });
}

function idOf({ call_id, request_id, record_ids }: JudgedCall): string {
  return call_id === null ? `record:${request_id ?? ''}:${record_ids.join('+')}` : `call:${call_id}`;
}

/** A call that could not be held against any record settles nothing. */
function isUnjudged({ verdict, record_ids }: JudgedCall): boolean {
  return verdict === 'not_checkable' && record_ids.length === 0;
}

function clearedBy({ call_id, record_ids }: JudgedCall, findings: readonly Finding[]): string {
  const found = findings.find((finding) => finding.call_id === call_id && !finding.provisional);
  if (found !== undefined) return `finding:${found.id}`;
  const [record] = record_ids;
  return record === undefined ? 'no_record_due' : `record:${record}`;
}

/** A call of an earlier run is not in this ledger: a record of its id that is no longer pending settles it. */
function clearedByRecord(
  item: SuspenseItem,
  byRequest: ReadonlyMap<string, readonly ServedRecord[]>,
): string | null {
  if (item.request_id === null) return null;
  const final = (byRequest.get(item.request_id) ?? []).find(({ role }) => role !== 'pending');
  return final === undefined ? null : `record:${final.id}`;
}

function isOverdue(deadlineAt: string | null, lastReadMs: number | null): boolean {
  const deadline = deadlineAt === null ? null : parseInstant(deadlineAt);
  return deadline !== null && lastReadMs !== null && lastReadMs >= deadline;
}

function sumOf(items: readonly SuspenseItem[]): SuspenseSum {
  const amounts = items.map(({ amount_hi }) => (amount_hi === null ? null : parseAmount(amount_hi)));
  const known = amounts.filter((amount) => amount !== null);
  return {
    items: items.length,
    amount: known.length < amounts.length ? null : formatAmount(known.reduce((sum, each) => sum + each, 0n)),
  };
}
