import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { BucketBillResult } from '../../contracts/bucket-bill.ts';
import type { CapacityResult } from '../../contracts/capacity-result.ts';
import type { ChainResult } from '../../contracts/chain-result.ts';
import type { BaselineResult } from '../../contracts/comparison.ts';
import { EXIT_ORDER } from '../../contracts/exit-code.ts';
import { isNotOurs } from '../../contracts/match-pass.ts';
import type { Plan, StoppedScenario } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  type ExitReason,
  RESULT_SCHEMA,
  type Result,
  resultSchema,
  type ToolVersions,
} from '../../contracts/result.ts';
import type { TrafficSum } from '../../contracts/result-money.ts';
import type { Statement, StatementBridge } from '../../contracts/statement.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Measurement } from '../../measure/measure.ts';
import { heldBy, isRefunded, refundedBy } from '../rows/record-amounts.ts';
import { trialRecords } from '../words/trial-calls.ts';

export interface ResultParts {
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  /** What the bill was compared with; default: a ledger where there is a plan. */
  readonly basis?: 'ledger' | 'records';
  /** Null where nothing was driven. */
  readonly measurement: Measurement | null;
  /** Null where nothing was reconciled. */
  readonly reconciliation: Reconciliation | null;
  /** Null where no capacity was searched. */
  readonly capacity: CapacityResult | null;
  /** An account statement of the period; null where none was given. */
  readonly statement?: Statement | null;
  /** The bill against what the gateway bought; null where nothing tells of that. */
  readonly chain?: ChainResult | null;
  /** A weighed bill that tells sums; null where none was given. */
  readonly bucket_bill?: BucketBillResult | null;
  /** Against what the run may not be worse than; null where none was given. */
  readonly baseline?: BaselineResult | null;
  readonly stopped: readonly StoppedScenario[];
  readonly tool: ToolVersions;
  /** Every exit code that holds, with its reason; ordered here by precedence. */
  readonly exits: readonly ExitReason[];
}

/** Puts a run's conclusions together. Throws ZodError when a part is not what the schema says: a fault of ours. */
export function buildResult(parts: ResultParts): Result {
  const { plan, period, measurement, reconciliation, capacity, stopped, tool, exits } = parts;
  const statement = parts.statement ?? null;
  const result: Result = {
    schema: RESULT_SCHEMA,
    run_id: (plan ?? period)?.run_id ?? '',
    target: (plan ?? period)?.target.root ?? '',
    plan_hash: plan?.plan_hash ?? null,
    tool,
    period: period === null ? (measurement?.window ?? null) : { start: period.start, end: period.end },
    basis: reconciliation === null ? null : (parts.basis ?? (period === null ? 'ledger' : 'records')),
    load: measurement?.load ?? null,
    money:
      reconciliation === null
        ? null
        : {
            ...reconciliation.money,
            trial_records: trialRecords(reconciliation),
            retried: measurement?.retriedUsd ?? null,
          },
    ...(reconciliation?.cache === undefined ? {} : { cache: reconciliation.cache }),
    coverage: reconciliation?.coverage ?? null,
    findings: reconciliation?.groups ?? [],
    accepted: [...(reconciliation?.accepted ?? [])],
    matching: reconciliation?.matching ?? null,
    completeness: reconciliation?.completeness ?? null,
    statement:
      reconciliation === null || statement === null ? null : statementBridge(statement, reconciliation),
    ...(parts.chain === undefined || parts.chain === null ? {} : { chain: parts.chain }),
    ...(parts.bucket_bill == null ? {} : { bucket_bill: parts.bucket_bill }),
    client: measurement?.client ?? null,
    ...(measurement === null || measurement.engines.length === 0
      ? {}
      : { engines: [...measurement.engines] }),
    // Records in files are a bill, where the target has none.
    ...(plan?.target.bill === 'none' && reconciliation === null && parts.bucket_bill == null
      ? { bill: 'none' as const }
      : {}),
    ...(plan?.cap.assumed_usd_per_call === undefined
      ? {}
      : { assumed_usd_per_call: plan.cap.assumed_usd_per_call }),
    capacity,
    baseline: parts.baseline ?? null,
    stopped,
    exit_codes: exits.toSorted(
      (left, right) => EXIT_ORDER.indexOf(left.code) - EXIT_ORDER.indexOf(right.code),
    ),
  };
  return resultSchema.parse(result);
}

/** The way from the opening balance of a statement to its closing one, by what was judged; the rest as a line. */
export function statementBridge(statement: Statement, reconciliation: Reconciliation): StatementBridge {
  const { money, calls, sums } = reconciliation;
  const rows = [...calls.filter(({ match }) => !isNotOurs(match)), ...sums];
  const records = rows.flatMap((row) => row.records ?? []);
  const back = parseAmount(refundedBy(records.filter(isRefunded)));
  const charged = parseAmount(money.charged);
  const settled = charged === null || back === null ? null : charged + back;
  const holds = parseAmount(money.pending ?? heldBy(records));
  const others = total([
    money.foreign,
    ...(money.known ?? []),
    ...(money.unattributed === undefined ? [] : [money.unattributed]),
  ]);
  const opening = given(statement.opening);
  const closing = given(statement.closing);
  const topUps = statement.top_ups.reduce((sum, { amount }) => sum + given(amount), 0n);
  const fees = statement.fees.reduce((sum, amount) => sum + given(amount), 0n);
  const due =
    settled === null || back === null || holds === null || others === null
      ? null
      : opening + topUps - fees - settled + back - holds - others;
  return {
    opening: formatAmount(opening),
    top_ups: formatAmount(topUps),
    ...(statement.fees.length === 0 ? {} : { fees: formatAmount(fees) }),
    settled: shown(settled),
    refunds: shown(back),
    holds: shown(holds),
    others: shown(others),
    due: shown(due),
    closing: formatAmount(closing),
    unexplained: due === null ? null : formatAmount(closing - due),
    receipts: statement.top_ups,
  };
}

function total(sums: readonly TrafficSum[]): PicoUsd | null {
  return sums.reduce<PicoUsd | null>((sum, { amount }) => {
    const own = parseAmount(amount);
    return sum === null || own === null ? null : sum + own;
  }, 0n);
}

/** Checked where the statement is read. */
function given(amount: string): PicoUsd {
  const value = parseAmount(amount);
  if (value === null) throw new RangeError(`statement: ${JSON.stringify(amount)} is no amount`);
  return value;
}

function shown(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
