import { type CoverageSetting, shownSetting } from '../../contracts/coverage-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { JudgedMoney, Judgement } from '../judge/judgement.ts';
import { type AcceptedGroup, type AcceptedSums, acceptedCalls } from '../records/accepted-sums.ts';

/**
 * Lets the witness of each accepted group stand for the others: their money becomes a part of its judgement, and their
 * number its weight. Every witness must be judged clean; else the acceptance was wrong, which is our own fault, and
 * throws `acceptance_contradicted` (exit 1).
 */
export function standForAccepted(
  judgements: readonly Judgement[],
  { groups, witnesses }: AcceptedSums,
): readonly Judgement[] {
  if (witnesses.length === 0) return judgements;
  const awaited = new Set(witnesses);
  const byWitness = new Map(groups.map((group) => [group.witness, group]));
  const standing = judgements.map((judgement) => {
    const id = judgement.calls[0]?.call_id ?? null;
    if (id === null || !awaited.delete(id)) return judgement;
    if (!isClean(judgement)) throw contradicted(id);
    const group = byWitness.get(id);
    return group === undefined ? judgement : standingFor(judgement, group);
  });
  const [absent] = awaited;
  if (absent !== undefined) throw contradicted(absent);
  return standing;
}

/** Told with the verdict, for what stands in no table of rows. */
export function acceptedSettings(accepted: AcceptedSums): readonly CoverageSetting[] {
  const calls = acceptedCalls(accepted);
  if (calls === 0) return [];
  return [
    shownSetting({
      name: 'judged_together',
      value: String(calls),
      evidence: `calls that are right by set-based proof and stand in no table of rows; ${accepted.witnesses.length} like them were judged one by one too, each right to the digit`,
    }),
  ];
}

function isClean({ calls, findings }: Judgement): boolean {
  const [call] = calls;
  return (
    calls.length === 1 &&
    findings.length === 0 &&
    call?.verdict === 'to_the_digit' &&
    call.match === 'request_id' &&
    call.record_ids.length === 1
  );
}

function standingFor(judgement: Judgement, { calls, charged }: AcceptedGroup): Judgement {
  const others: JudgedMoney = {
    charged,
    weight: charged,
    checked: 'to_the_digit',
    due: charged,
    certain_over: 0n,
    certain_under: 0n,
    open: 0n,
  };
  return { ...judgement, money: [...judgement.money, others], stands_for: calls };
}

function contradicted(callId: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'acceptance_contradicted',
    message: `call ${callId}: expected to the digit without a finding, as the set-based acceptance had it, found otherwise`,
    hint: 'report this as a fault of ours; `--memory 0` judges every row by itself',
    exitCode: EXIT.internal,
  });
}
