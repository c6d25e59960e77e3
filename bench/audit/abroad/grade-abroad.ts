import type { Reconciliation } from '../../../src/contracts/reconciliation.ts';
import { type PicoUsd, parseAmount } from '../../../src/core/amount.ts';
import { gates } from '../../../src/reconcile/conclude/finding-groups.ts';
import { DEFAULT_TOLERANCES } from '../../../src/reconcile/input/reconcile-input.ts';
import { brokenMoney } from '../../../src/reconcile/money-identity.test-support.ts';
import { claimable } from '../../../src/report/claims/claimable.ts';
import { isNameless, type Manner, type Untold } from '../../../test/support/decidable.ts';
import type { JudgedWorld } from '../call-world.ts';
import { slackOf } from '../undecidable.ts';
import { type GradedFault, gradedFaults, isOfBill } from './grade-faults.ts';

/** One audit of one world. */
export interface GradedAudit {
  readonly manner: Manner;
  /** Findings that gate though nothing was planted on their call. */
  readonly accusations: readonly string[];
  /** Lines of a letter. */
  readonly claims: number;
  readonly inconclusive: readonly string[];
  /** 10⁻¹² USD; null where a charge can't be read. */
  readonly charged: PicoUsd | null;
  readonly open: PicoUsd;
  readonly faults: readonly GradedFault[];
  /** Sums that break the identity of money, and rows whose bounds leave out what was due. */
  readonly untrue: readonly string[];
}

type World = Pick<JudgedWorld, 'plan' | 'fired' | 'ended'>;

export function gradeAbroad(
  world: World,
  manner: Manner,
  reconciliation: Reconciliation,
  untold: readonly Untold[] = [],
): GradedAudit {
  const { money, inconclusive } = reconciliation;
  const findings = reconciliation.findings.filter(({ provisional, rows }) => !provisional && rows === 1);
  const byRequest = Map.groupBy(findings, ({ request_id }) => request_id ?? '');
  return {
    manner,
    accusations: accusations(world, manner, reconciliation),
    claims: claimable('bench', reconciliation).claims.length,
    inconclusive,
    charged: money.charged === null ? null : parseAmount(money.charged),
    open: parseAmount(money.open ?? '0') ?? 0n,
    faults: gradedFaults(world, { manner, untold }, byRequest, reconciliation),
    untrue: [...brokenMoney(reconciliation), ...untrueBounds(world, reconciliation)],
  };
}

/** In an honest world each gating finding; in another those of calls on which nothing was planted. */
function accusations(
  { plan, fired, ended }: World,
  manner: Manner,
  { findings }: Reconciliation,
): readonly string[] {
  const planted = new Set(fired.filter(({ fault }) => isOfBill(fault)).map(({ request_id }) => request_id));
  const known = new Set<string | null>(ended.map(({ request_id }) => request_id));
  return findings
    .filter((finding) => gates(finding, DEFAULT_TOLERANCES))
    .filter(({ request_id, rows }) => {
      if (planted.size === 0) return true;
      // Where answers tell no id, a fault may show on a like call.
      if (isNameless(plan.readings, manner)) return false;
      // Of records without a call, totals and groups it stays open which fault shows in them.
      return rows === 1 && known.has(request_id) && !planted.has(request_id ?? '');
    })
    .map((finding) => `${finding.class} ${finding.rule}: ${finding.explanation}`);
}

/** Calls of an honest world whose bounds leave out the charge that the gateway made. */
function untrueBounds({ plan, fired, ended }: World, { calls }: Reconciliation): readonly string[] {
  const slack = slackOf(plan.readings);
  // The journal keeps what a fault charges with the call that it hit, or another.
  if (fired.some(({ fault }) => isOfBill(fault))) return [];
  const due = new Map(ended.map(({ request_id, amount }) => [request_id, parseAmount(amount)]));
  return calls.flatMap(({ request_id, match, expected_lo, expected_hi, why }) => {
    const right = request_id === null || match === 'cluster' ? null : (due.get(request_id) ?? null);
    const [lo, hi] = [parseAmount(expected_lo ?? ''), parseAmount(expected_hi ?? '')];
    if (right === null || lo === null || hi === null) return [];
    if (right === 0n || (lo - slack <= right && right <= hi + slack)) return [];
    return [`${request_id}: ${right} is due, not from ${lo} to ${hi}: ${why}`];
  });
}
