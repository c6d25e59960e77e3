import { EXIT } from '../../contracts/exit-code.ts';
import { HALT_REASONS, type HaltReason } from '../../contracts/ledger-lines.ts';
import type { LoadResult, ObjectiveResult } from '../../contracts/load-result.ts';
import { isTimeObjective, type StoppedScenario } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ClientVerdict, ExitReason } from '../../contracts/result.ts';
import { overWords } from '../../report/words/accepted-words.ts';
import { figure } from '../../report/words/figure-text.ts';
import { nothingMeasuredWords } from '../../report/words/verdict-words.ts';
import { plural } from '../../text/plural.ts';

export interface Judged {
  readonly load: LoadResult | null;
  readonly client: ClientVerdict | null;
  readonly reconciliation: Reconciliation | null;
  /** From the last state line of each ledger file. */
  readonly halted: readonly HaltReason[];
  /** What the spend cap, or the cap of a part, kept calls back of. */
  readonly capped: readonly CappedPart[];
  /** Instances that left a ledger file open. */
  readonly unclosed: readonly string[];
  /** Why a search of the capacity that found none could not judge its rates; empty where it could, or none was made. */
  readonly unjudged: readonly string[];
  /** Why the load engine broke off; null where it did not, or nobody was there to see it. */
  readonly failure: ExitReason | null;
  /** Why no call of the run succeeded; null where one did, or none was sent. */
  readonly no_success: ExitReason | null;
  /** What is missing between the ledger files of the run. */
  readonly gaps: readonly string[];
  /** What the script that ended the run said; null where none did. */
  readonly abortMessage: string | null;
  readonly stopped: readonly StoppedScenario[];
  /** Scenarios that were driven; null where none was to be, as in an audit of a past period. */
  readonly driven: number | null;
}

export interface CappedPart {
  /** `kind`: calls of one kind and model, which the cap of the run stopped alone; `run`: the last of them. */
  readonly scope: 'run' | 'kind' | 'scenario' | 'model';
  readonly name: string;
  /** Calls that were not sent. */
  readonly calls: number;
  /** Which call did not fit first, and what would have held it, in the words of the load engine. */
  readonly why: string | null;
}

/** All exit codes that hold, each with its reason. */
export function judgeExit(judged: Judged): ExitReason[] {
  return [
    ...(judged.no_success === null ? [] : [judged.no_success]),
    ...halts(judged),
    ...cappedParts(judged),
    ...findings(judged),
    ...(judged.unjudged.length === 0 ? objectives(judged) : unjudgedSearch(judged)),
    ...inconclusive(judged),
    ...unmeasured(judged),
    ...killed(judged),
    ...incomplete(judged),
  ];
}

const HALTS: Readonly<Record<HaltReason, ExitReason>> = {
  ledger_failed: {
    code: EXIT.internal,
    why: 'the ledger could not be written; no further call was started',
  },
  interrupted: { code: EXIT.interrupted, why: 'interrupted; the report is partial' },
  spend_cap: { code: EXIT.spendCap, why: 'the spend cap was reached; no further call was started' },
  reserve_exceeded: {
    code: EXIT.spendCap,
    why: 'a call used more than its reserve, so that the spend cap could no longer be kept; no further call was started',
  },
  credit_kept: {
    code: EXIT.spendCap,
    why: "the account's remaining quota fell under the share to be kept, or could no longer be read; no further call was started",
  },
  quota_exhausted: {
    code: EXIT.spendCap,
    why: 'the target answered insufficient_user_quota: the credit is used up; no further call was started',
  },
  stop_rule_429: {
    code: EXIT.objectives,
    why: 'the share of calls refused with 429 passed limits.stop.share_429; no further call was started',
  },
  stop_rule_5xx: {
    code: EXIT.objectives,
    why: 'the share of calls that ended with a 5xx passed limits.stop.share_5xx; no further call was started',
  },
  script_aborted: {
    code: EXIT.objectives,
    why: 'the script or one of its thresholds ended the run',
  },
};

function halts({ halted, abortMessage, capped }: Judged): ExitReason[] {
  const told: Partial<Record<HaltReason, string | null>> = {
    script_aborted: abortMessage,
    spend_cap: capped.find(({ scope }) => scope === 'run')?.why ?? null,
  };
  return HALT_REASONS.filter((reason) => halted.includes(reason)).map((reason) => {
    const { code, why } = HALTS[reason];
    return { code, why: [why, told[reason] ?? []].flat().join(': ') };
  });
}

function cappedParts({ capped }: Judged): ExitReason[] {
  return capped.flatMap(({ scope, name, calls, why }) => {
    if (scope === 'run') return [];
    const cap = scope === 'kind' ? `the spend cap stopped ${name}` : `the spend cap of ${name} was reached`;
    const kept = `${cap}; ${plural(calls, 'call')} ${calls === 1 ? 'was' : 'were'} not sent`;
    return [{ code: EXIT.spendCap, why: [kept, why ?? []].flat().join(': ') }];
  });
}

/** A killed load engine broke off (1), and what was in flight has an intent and no row (7). */
function killed({ unclosed, failure }: Judged): ExitReason[] {
  const broken = unclosed.map((instance) => ({
    code: EXIT.internal,
    why: `the load engine ended without closing its ledger (${instance}): it was killed, or still runs`,
  }));
  const failed = failure === null || broken.length > 0 ? [] : [failure];
  const open = unclosed.map((instance) => ({
    code: EXIT.inconclusive,
    why: `what was in flight when the ledger of ${instance} broke off has no row`,
  }));
  return [...broken, ...failed, ...open];
}

/** Calls of a part that is not here are in the bill and in no figure. */
function incomplete({ gaps }: Judged): ExitReason[] {
  return gaps.map((gap) => ({ code: EXIT.inconclusive, why: `the ledger is not whole: ${gap}` }));
}

function findings({ reconciliation }: Judged): ExitReason[] {
  if (reconciliation?.gated !== true) return [];
  const count = reconciliation.groups.reduce((sum, group) => sum + group.gating, 0);
  const over = reconciliation.accepted.flatMap((each) => overWords(each) ?? []);
  const why = [`${plural(count, 'finding')} at or above the gate`, ...over].join('; ');
  return [{ code: EXIT.findings, why }];
}

/** Objectives of a step that had too few calls are neither met nor missed. */
function unjudgedSearch({ unjudged }: Judged): ExitReason[] {
  return unjudged.map((why) => ({ code: EXIT.inconclusive, why: `no capacity was found: ${why}` }));
}

/** A missed time objective judged by a starved client is no verdict on the target (7 in place of 4). */
function objectives({ load, client }: Judged): ExitReason[] {
  if (load === null) return [];
  const limited = client?.verdict === 'client_limited';
  const timed = load.objectives.filter(restsOnTime);
  const missed = load.objectives.filter(
    (objective) => !objective.met && !(limited && restsOnTime(objective)),
  );
  const reasons: ExitReason[] = missed.map((objective) => ({
    code: isWithoutBill(objective) ? EXIT.inconclusive : EXIT.objectives,
    why: isWithoutBill(objective)
      ? `${measuredObjectiveWords(objective)}; what the calls cost is not ${objective.actual_usd === null ? '' : 'fully '}known`
      : measuredObjectiveWords(objective),
  }));
  if (limited && timed.length > 0) {
    reasons.push({
      code: EXIT.inconclusive,
      why: `time objectives are not judged, the client was no measure: ${client.reasons.join('; ')}`,
    });
  }
  return reasons;
}

/** A starved client starts less than asked and stamps too late: neither a time nor a rate of good calls is the target's. */
function restsOnTime(objective: ObjectiveResult): boolean {
  const { measure } = objective;
  return isTimeObjective(objective) || measure === 'goodput_rate' || measure === 'attainment_share';
}

/** Where no bill was read, a call has no price, or only an upper bound is above the bound, nothing is missed or met. */
function isWithoutBill({ measure, actual_usd, actual_at_most }: ObjectiveResult): boolean {
  return measure === 'usd_per_1000_good' && (actual_usd === null || actual_at_most);
}

export function measuredObjectiveWords(objective: ObjectiveResult): string {
  const { scenario, measure, percentile, max, min, max_usd, actual, actual_usd, actual_at_most } = objective;
  const name = percentile === null ? measure : `${measure} p${percentile} (by rank)`;
  const bound = min === null ? `at most ${max_usd ?? max}` : `at least ${min}`;
  const found = actual_usd ?? (actual === null ? 'not measured' : figure(actual));
  return `${scenario}: ${name} is ${actual_at_most ? 'at most ' : ''}${found}, ${bound} asked`;
}

function inconclusive({ reconciliation, stopped, driven }: Judged): ExitReason[] {
  if (driven === 0) {
    // All else that is missing follows from this.
    const why = stopped.map((entry) => `${entry.scenario}: ${entry.reason}`).join('; ');
    return [{ code: EXIT.inconclusive, why: `no kind of call could be tried: ${why}` }];
  }
  return (reconciliation?.inconclusive ?? []).map((why) => ({ code: EXIT.inconclusive, why }));
}

/** What ended the starts, or the load engine, says why there is none. */
function unmeasured({ load, halted, capped, unclosed, failure, driven }: Judged): ExitReason[] {
  if (load === null || driven === 0 || failure !== null) return [];
  if (halted.length + capped.length + unclosed.length > 0) return [];
  const words = nothingMeasuredWords(load);
  return words === null ? [] : [{ code: EXIT.inconclusive, why: words.replace(/^N/, 'n') }];
}
