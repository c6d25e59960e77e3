import { createHash } from 'node:crypto';
import type { Claim, ClaimedRecord } from '../../contracts/claim.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation, UntoldTerm } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { type BillRow, billRows } from '../rows/bill-row.ts';
import { acceptedIds } from './accepted-ids.ts';
import { isDemandable, type NotClaimed, notClaimed } from './not-claimed.ts';
import { requestStanding } from './request-standing.ts';

export interface Claimable {
  readonly claims: readonly RowClaim[];
  /** What is not claimed, and why. */
  readonly apart: readonly NotClaimed[];
  /** Why no sum is demanded: then each claim is a question. Empty where it is. */
  readonly untold: readonly UntoldTerm[];
  /** What the whole bill charges, USD; null where it cannot be read. */
  readonly charged: string | null;
}

export interface RowClaim {
  readonly claim: Claim;
  readonly row: BillRow;
  /** The largest of what it rests on: claims of one cause are one claim of a letter. */
  readonly finding: Finding;
}

/**
 * What can be asked back, or about: per request the charge, or held reserve, that is certainly too much by final findings.
 * What is provisional, weak, bounded or of a habit is named apart.
 */
export function claimable(runId: string, reconciliation: Reconciliation): Claimable {
  const { untold } = reconciliation;
  const rows = billRows(runId, reconciliation);
  const standing = requestStanding(rows);
  const accepted = acceptedIds(reconciliation);
  const common = reconciliation.findings.filter(({ rows: about }) => about === 1);
  const claims = rows.flatMap((row) => {
    const over = isLikelyOnly(row)
      ? []
      : (row.call === null ? findingsOfSum(row, common) : row.findings).filter(
          (finding) => isClaimed(finding) && !accepted.has(finding.id),
        );
    // Of a row whose charge is what is due nothing is certain, whatever a finding says of it.
    const draft = draftOf(
      row,
      over.filter((finding) => finding.bridge !== 'none' || isRegression(finding)),
    );
    if (draft === null) return [];
    return [
      {
        row,
        finding: draft.cause,
        claim: { ...claimOf(row, draft, standing), demanded: untold.length === 0 },
      },
    ];
  });
  const joined = joinRequests(claims);
  const likely = rows.filter(isLikelyOnly).flatMap(({ findings }) => findings.map(({ id }) => id));
  const claimed = joined.map(({ claim }) => claim);
  const apart = notClaimed(reconciliation, { claims: claimed, likely: new Set(likely), accepted });
  return { claims: joined, apart, untold, charged: reconciliation.money.charged };
}

/** A pair that fits best proves nothing of the amount of its record. */
function isLikelyOnly({ call }: BillRow): boolean {
  return call?.match === 'assignment';
}

/** A final finding that something is too much, whatever its size. */
function isClaimed(finding: Finding): boolean {
  const { direction, provisional, rows } = finding;
  return direction === 'over' && !provisional && rows === 1 && isDemandable(finding);
}

/** A record that changed for the worse explains no sum of its own: what it is wrong by stands in the row. */
function isRegression({ class: name }: Finding): boolean {
  return name === 'state_regression';
}

interface Draft {
  readonly cause: Finding;
  readonly amount: PicoUsd;
  readonly held: PicoUsd;
}

function draftOf({ money }: BillRow, over: readonly Finding[]): Draft | null {
  const held = sumOfLeast(over.filter(({ bridge }) => bridge === 'held'));
  const found = sumOfLeast(over.filter(({ bridge }) => bridge !== 'held'));
  const certain = claimAmount(money?.certain_over ?? null);
  // Findings of one row can overlap. Where they explain less than its charge is over, the charge is left out whole.
  const amount = held + (found < certain ? 0n : certain);
  const cause = largest(over);
  return amount <= 0n || cause === null ? null : { cause, amount, held };
}

function claimOf(
  { call, records }: BillRow,
  { cause, amount, held }: Draft,
  standing: ReturnType<typeof requestStanding>,
): Omit<Claim, 'demanded'> {
  const part = 'charge';
  const [first] = records;
  const request_id =
    call === null || first === undefined || first.request_id === '' ? null : first.request_id;
  const claimed = distinct(records);
  return {
    id: claimId([part, ...(request_id === null ? claimed.map(keyOf) : [request_id])]),
    part,
    class: cause.class,
    finding: cause.id,
    request_id,
    records: claimed,
    model: call?.model ?? cause.model,
    amount: formatAmount(amount),
    held: formatAmount(held),
    standing: standing({ part, request_id, records: claimed }),
  };
}

function distinct(records: readonly ClaimedRecord[]): readonly ClaimedRecord[] {
  const byKey = new Map(records.map(({ request_id, id }) => [keyOf({ request_id, id }), { request_id, id }]));
  return [...byKey].toSorted(([left], [right]) => compareText(left, right)).map(([, record]) => record);
}

function keyOf({ request_id, id }: ClaimedRecord): string {
  return JSON.stringify([request_id, id]);
}

function claimId(about: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 12);
}

/** Rows of one request (a call, and a record beside it) are one claim: it is credited as one. */
function joinRequests(claims: readonly RowClaim[]): readonly RowClaim[] {
  const joined = new Map<string, RowClaim>();
  for (const each of claims) {
    const before = joined.get(each.claim.id);
    joined.set(
      each.claim.id,
      before === undefined ? each : { ...before, claim: sum(before.claim, each.claim) },
    );
  }
  return [...joined.values()];
}

function sum(left: Claim, right: Claim): Claim {
  return {
    ...left,
    records: distinct([...left.records, ...right.records]),
    amount: formatAmount(claimAmount(left.amount) + claimAmount(right.amount)),
    held: formatAmount(claimAmount(left.held) + claimAmount(right.held)),
  };
}

/** Findings over calls that are judged by their sum stand at no row of their own. */
function findingsOfSum({ sum_of, records }: BillRow, findings: readonly Finding[]): readonly Finding[] {
  const own = new Set([...sum_of.map((id) => `call:${id}`), ...records.map(({ id }) => `record:${id}`)]);
  return findings.filter(({ evidence }) => evidence.some((item) => own.has(item)));
}

function largest(findings: readonly Finding[]): Finding | null {
  return findings.reduce<Finding | null>(
    (most, each) =>
      most === null || claimAmount(each.delta_min) > claimAmount(most.delta_min) ? each : most,
    null,
  );
}

function sumOfLeast(findings: readonly Finding[]): PicoUsd {
  return findings.reduce((total, { delta_min }) => {
    const least = claimAmount(delta_min);
    return least > 0n ? total + least : total;
  }, 0n);
}

/** An amount that is not known adds nothing to what is certain. */
export function claimAmount(text: string | null): PicoUsd {
  return text === null ? 0n : (parseAmount(text) ?? 0n);
}
