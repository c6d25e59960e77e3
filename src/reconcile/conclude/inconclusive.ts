import type { CoverageResult } from '../../contracts/coverage-result.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { nothingCheckedReason, uncheckedReason } from '../coverage/unchecked-reason.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { NOT_PROVED, STRANGERS } from '../judges/judge-missing.ts';
import { incompleteText } from './incomplete-text.ts';

/** Why nothing can be concluded from this audit; empty where it can. */
export function inconclusiveReasons(
  { sweep, shelf, settings }: JudgeContext,
  calls: readonly JudgedCall[],
  coverage: CoverageResult,
  {
    gated,
    min_checked,
    unreadable,
  }: { readonly gated: boolean; readonly min_checked: number; readonly unreadable: number },
): readonly string[] {
  const reasons: string[] = [];
  if (sweep.complete === null) reasons.push(incompleteText(sweep.reads));
  if (shelf.unreadable.length > 0) reasons.push('the price book could not be read');
  else if (shelf.latest === null) reasons.push('no price book was read');
  if (settings.contradicted !== null) reasons.push(settings.contradicted);
  if (unreadable > 0 && !gated) reasons.push(unreadableText(unreadable));
  const unproved = calls.filter(({ why }) => why === NOT_PROVED).length;
  if (unproved > 0) reasons.push(unprovedText(unproved));
  // That nothing was checked follows from it.
  if (calls.some(({ why }) => why === STRANGERS)) return [...reasons, STRANGERS_REASON];
  const judged = calls.filter(({ verdict }) => CHECKED.includes(verdict));
  const unchecked = gated ? null : uncheckedReason(coverage, min_checked);
  const seen = calls.length + sweep.records.length + sweep.accepted.length;
  if (seen === 0 && sweep.complete !== null) reasons.push(NOTHING_THERE);
  else if (judged.length === 0) reasons.push(nothingCheckedReason(coverage));
  else if (unchecked !== null) reasons.push(unchecked);
  return reasons;
}

/** Verdicts that rest on a charge; a call that was refused and not charged proves nothing about prices. */
const CHECKED: readonly JudgedCall['verdict'][] = ['to_the_digit', 'within_bounds', 'finding'];

const NOTHING_THERE = 'there is nothing to check: no call, and no usage record of this key in that time';

const STRANGERS_REASON =
  'no call of this ledger has a record: see whether key, target and time are those of the calls';

function unreadableText(count: number): string {
  return count === 1
    ? 'the amount of 1 record could not be read'
    : `the amounts of ${count} records could not be read`;
}

function unprovedText(count: number): string {
  const whose = count === 1 ? '1 call has no record' : `${count} calls have no record`;
  return `${whose}, and it is not proved that the records of that time were read whole`;
}
