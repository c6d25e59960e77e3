import type { Finding } from '../../contracts/finding.ts';
import type { Warrant } from '../../contracts/warrant.ts';
import { NO_CHARGE } from '../expect/charge.ts';
import { type Expectation, expectedCharge } from '../expect/expected-charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { covers } from '../input/judged-sweep.ts';
import { isProved } from '../records/completeness-proof.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { latenessWarrant, soughtMs, type Wait, waitOf } from './deadline.ts';
import { judgeReserve } from './judge-reserve.ts';
import { boundsOf, judgedCall } from './judged-call.ts';
import { type Judgement, judgedMoney } from './judgement.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** Nothing is claimed where the record may stand on a page that was not served. */
export const NOT_PROVED = 'no record, and it is not proved that the records of its second were read whole';

/** Its record may be taken for that of a call which is not here. */
const NOT_WHOLE = 'no record, and the ledger is not whole';

const UNTOLD = 'no record, and nobody told by when a call has one';

/** Where all records of a ledger are missing, a wrong key is likelier than a gateway that forgot every call. */
export const STRANGERS = 'no call of its ledger has a record, and nothing tells that these are its records';

/** Fewer calls may all be unrecorded by a fault. */
const FEWEST_STRANGERS = 5;

/**
 * True where nothing ties the records that were read to the calls of a ledger, none of which has one: no plan of ours
 * that says whose key it was, and no call under a key whose records were read.
 */
export function areStrangers({ plan, sweep }: JudgeContext, unmatched: readonly PaidCall[]): boolean {
  if (plan !== null || unmatched.filter((call) => recordDue(call) === 'must').length < FEWEST_STRANGERS)
    return false;
  const keys = new Set(sweep.own_reads.flatMap(({ key_fp }) => key_fp ?? []));
  return !unmatched.some(
    ({ row, request_ids }) =>
      keys.has(row?.key_fp ?? '') || request_ids.some((id) => sweep.gone_request_ids.has(id)),
  );
}

/** What is known of all calls for which no record was found. */
export interface Losses {
  /** As `areStrangers` tells of their ledger. */
  readonly strange: boolean;
  /** False where rows or files of the ledger are missing: by such a one nothing is proved. */
  readonly whole: boolean;
  /** As `exchangedLosses` tells: the record of another call may be theirs. */
  readonly doubtful: ReadonlySet<PaidCall>;
  /** How many calls of each model must have a record, and none was found. */
  readonly missing: ReadonlyMap<string, number>;
}

/** True where every record of the call would have been read: they are dated by its acceptance, or by its end. */
export function isReadWhole({ sweep }: JudgeContext, call: PaidCall): boolean {
  return [call.started_ms, call.ended_ms].every((ms) => isProved(sweep.proof, Math.floor(ms / 1000)));
}

/** True where no record of the call means that there is none. */
export function isLossProved(context: JudgeContext, call: PaidCall, { doubtful, whole }: Losses): boolean {
  return whole && isReadWhole(context, call) && !doubtful.has(call);
}

/** True where the call must have a record, and one that is not found will not come. */
export function isLossFinal(context: JudgeContext, call: PaidCall, losses: Losses): boolean {
  const isRead = covers(context.sweep, Math.floor(call.started_ms / 1000)) && context.sweep.complete !== null;
  const isDue = recordDue(call) === 'must' && !waitForRecord(context, call, losses).provisional;
  return isRead && isDue && !losses.strange && isLossProved(context, call, losses);
}

/** Judges a call for which no record was found. */
export function judgeMissing(context: JudgeContext, call: PaidCall, losses: Losses): Judgement {
  const judged = withoutRecord(context, call, losses);
  return { ...judged, findings: [...judged.findings, ...judgeReserve(context, call, null, null)] };
}

function withoutRecord(context: JudgeContext, call: PaidCall, losses: Losses): Judgement {
  const expectation = expectedCharge(context, call, null, context.shelf.latest);
  const due = recordDue(call);
  // Of what costs nothing a gateway need keep no record.
  const isFree = !('unknown' in expectation) && expectation.hi === 0n;
  if (due !== 'must' || isFree) {
    const settled = due !== 'may' || !deadlineOfRecord(context, call).provisional;
    return {
      calls: [
        judgedCall(call, [], 'none', {
          expectation,
          charge: null,
          verdict: 'not_charged',
          why:
            due === 'may' ? 'no record, and none is due for certain' : 'no record is due and there is none',
        }),
      ],
      findings: [],
      money: settled ? [] : [judgedMoney(NO_CHARGE, 'within_bounds', boundsOf(expectation))],
    };
  }
  if (!covers(context.sweep, Math.floor(call.started_ms / 1000))) {
    const why = 'the usage records of its time were not read';
    return withoutFinding(call, expectation, 'not_checkable', why);
  }
  const wait = waitForRecord(context, call, losses);
  const read = context.sweep.complete !== null;
  const proved = isLossProved(context, call, losses);
  if (read && proved && call.request_ids.some((id) => context.sweep.gone_request_ids.has(id))) {
    // Whatever its deadline: that it is gone is told of the record.
    const gone = withoutFinding(call, expectation, 'finding', 'its record was served before, and is gone');
    return { ...gone, money: [judgedMoney(NO_CHARGE, 'to_the_digit', boundsOf(expectation))] };
  }
  const isAwaited = deadlineOfRecord(context, call).provisional;
  if (losses.strange && !isAwaited) return withoutFinding(call, expectation, 'not_checkable', STRANGERS);
  const late = !wait.provisional && read && proved;
  const finding = unrecorded(call, expectation, late, wait);
  const unproved = losses.whole ? NOT_PROVED : NOT_WHOLE;
  const judged = withoutFinding(
    call,
    expectation,
    late ? 'finding' : 'provisional',
    late
      ? 'no record, though its time has passed'
      : isAwaited || !read
        ? 'no record yet'
        : proved
          ? UNTOLD
          : unproved,
  );
  return {
    ...judged,
    findings: [finding],
    money: late ? [judgedMoney(NO_CHARGE, 'to_the_digit', boundsOf(expectation))] : [],
  };
}

interface WaitForRecord extends Wait {
  /** What tells that no record will come; null where nothing does. */
  readonly late: Warrant | null;
}

function deadlineOfRecord(context: JudgeContext, call: PaidCall): Wait {
  const since = { sinceMs: call.ended_ms, asOfMs: soughtMs(context, call) };
  return waitOf(context, 'unrecorded_request', call, since);
}

/** Past its deadline a call waits on where neither the user nor the other records of its model tell how long they take. */
function waitForRecord(context: JudgeContext, call: PaidCall, { missing }: Losses): WaitForRecord {
  const wait = deadlineOfRecord(context, call);
  if (wait.provisional) return { ...wait, late: null };
  const others = missing.get(call.model) ?? 1;
  const late = latenessWarrant(context, 'unrecorded_request', call, call.model, others);
  return { provisional: late === null, deadline_at: null, late };
}

function withoutFinding(
  call: PaidCall,
  expectation: Expectation,
  verdict: 'not_checkable' | 'provisional' | 'finding',
  why: string,
): Judgement {
  return {
    calls: [judgedCall(call, [], 'none', { expectation, charge: null, verdict, why })],
    findings: [],
    money: [],
  };
}

function unrecorded(
  call: PaidCall,
  expectation: Expectation,
  isLate: boolean,
  { deadline_at, late }: WaitForRecord,
): Finding {
  const bounds = boundsOf(expectation);
  const delta = bounds === null ? null : (negated(bounds.point) ?? { min: -bounds.hi, max: -bounds.lo });
  const worth =
    bounds === null
      ? 'an unknown amount'
      : bounds.point === null
        ? `up to ${signedUsdText(bounds.hi)}`
        : signedUsdText(bounds.point);
  return makeFinding({
    class: 'unrecorded_request',
    rule: 'no_record',
    warrant: late?.kind === 'habit' ? late : WARRANTS.records_requests,
    confidence: call.request_ids.length > 0 ? 'proved' : 'strong',
    delta,
    direction: 'under',
    evidence: [`call:${call.call_id}`, ...call.request_ids.map((id) => `request:${id}`)],
    request_id: call.request_ids[0] ?? null,
    call_id: call.call_id,
    model: call.model,
    explanation: `The call of ${call.model} at ${call.started_at} succeeded and no usage record tells of it; ${worth} is due.`,
    next_step: isLate
      ? 'Nothing to claim; tell the operator which request id is missing.'
      : deadline_at === null && late === null
        ? 'Ask the operator by when a call is recorded, and set billing.deadlines to it.'
        : 'Read again once its time to settle has passed.',
    provisional: !isLate,
    deadline_at: isLate ? null : deadline_at,
  });
}

function negated(amount: bigint | null): bigint | null {
  return amount === null ? null : -amount;
}
