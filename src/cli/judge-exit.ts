import { EXIT } from '../core/exit-code.ts';
import { isTimeObjective } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { ClientVerdict, ExitReason, LoadResult, StoppedScenario } from '../core/result.ts';

export interface Judged {
  readonly load: LoadResult | null;
  readonly client: ClientVerdict | null;
  readonly reconciliation: Reconciliation | null;
  /** From the last state lines: spend_cap, interrupted, ledger_failed. */
  readonly halted: readonly string[];
  readonly stopped: readonly StoppedScenario[];
  /** Scenarios that were driven. */
  readonly driven: number;
}

/** All exit codes that hold, each with its reason. */
export function judgeExit(judged: Judged): ExitReason[] {
  return [...interruptions(judged), ...findings(judged), ...objectives(judged), ...inconclusive(judged)];
}

function interruptions({ halted }: Judged): ExitReason[] {
  const reasons: ExitReason[] = [];
  if (halted.includes('ledger_failed')) {
    reasons.push({
      code: EXIT.internal,
      why: 'the ledger could not be written; no further call was started',
    });
  }
  if (halted.includes('interrupted'))
    reasons.push({ code: EXIT.interrupted, why: 'interrupted; the report is partial' });
  if (halted.includes('spend_cap')) {
    reasons.push({ code: EXIT.spendCap, why: 'the spend cap left no room for the next call' });
  }
  return reasons;
}

function findings({ reconciliation }: Judged): ExitReason[] {
  if (reconciliation?.gated !== true) return [];
  const count = reconciliation.groups
    .filter((group) => group.gates)
    .reduce((sum, group) => sum + group.count, 0);
  return [{ code: EXIT.findings, why: `${count} findings at or above the gate` }];
}

/** A missed time objective judged by a starved client is no verdict on the target (7 in place of 4). */
function objectives({ load, client }: Judged): ExitReason[] {
  if (load === null) return [];
  const limited = client?.verdict === 'client_limited';
  const timed = load.objectives.filter(isTimeObjective);
  const missed = load.objectives.filter(
    (objective) => !objective.met && !(limited && isTimeObjective(objective)),
  );
  const reasons: ExitReason[] = missed.map((objective) => ({
    code: EXIT.objectives,
    why: `${objective.scenario}: ${objective.measure}${objective.percentile === null ? '' : ` p${objective.percentile}`} is ${objective.actual ?? 'not measured'}, at most ${objective.max} asked`,
  }));
  if (limited && timed.length > 0) {
    reasons.push({
      code: EXIT.inconclusive,
      why: `time objectives judged by a starved client: ${client.reasons.join('; ')}`,
    });
  }
  return reasons;
}

function inconclusive({ reconciliation, stopped, driven }: Judged): ExitReason[] {
  if (driven === 0) {
    // All else that is missing follows from this.
    const why = stopped.map((entry) => `${entry.scenario}: ${entry.reason}`).join('; ');
    return [{ code: EXIT.inconclusive, why: `no kind could be weighed: ${why}` }];
  }
  return (reconciliation?.inconclusive ?? []).map((why) => ({ code: EXIT.inconclusive, why }));
}
