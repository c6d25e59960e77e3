import type { Finding } from '../../contracts/finding.ts';
import { deltaOf, keptBy, NO_CHARGE } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { covers } from '../input/judged-sweep.ts';
import { isOneRead } from '../input/regressed-records.ts';
import { isProved } from '../records/completeness-proof.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';

/**
 * Records that changed after they were final, or that are gone, over all reads. `isOurs` keeps foreign ones out;
 * `explains` holds the keys of those whose change is all that is wrong with the amount of their call.
 */
export function judgeHistory(
  context: JudgeContext,
  isOurs: (record: ServedRecord) => boolean,
  explains: ReadonlySet<string>,
): readonly Finding[] {
  const { sweep } = context;
  const present = new Set(sweep.records.map(({ key }) => key));
  const byKey = Map.groupBy(sweep.versions.filter(isOurs), ({ key }) => key);
  return [...byKey].flatMap(([key, versions]) => {
    const before = context.regressed.get(key);
    const after = before === undefined ? undefined : versions[versions.indexOf(before) + 1];
    const changed =
      before === undefined || after === undefined
        ? []
        : [
            changedFinding(
              context,
              before,
              explains.has(key) ? (versions.at(-1) ?? after) : after,
              explains.has(key),
            ),
          ];
    const last = versions.at(-1);
    if (last === undefined || present.has(last.key) || sweep.complete === null) return changed;
    const isEarlier = last.read_ms < (sweep.began_ms ?? Number.NEGATIVE_INFINITY);
    return isEarlier &&
      last.created_at !== null &&
      covers(sweep, last.created_at) &&
      isProved(sweep.proof, last.created_at)
      ? [...changed, vanishedFinding(context, last)]
      : changed;
  });
}

function changedFinding(
  context: JudgeContext,
  before: ServedRecord,
  after: ServedRecord,
  explains: boolean,
): Finding {
  const then = keptBy(before, context.settings);
  const now = keptBy(after, context.settings);
  return makeFinding({
    class: 'state_regression',
    rule: 'changed_after_settlement',
    confidence: 'proved',
    ...(isOneRead(before, after) ? { severity: 'S3' as const } : {}),
    delta: then === null || now === null ? null : deltaOf(now, then),
    evidence: evidenceOf(after, null),
    request_id: after.request_id,
    model: after.model,
    explanation:
      `Record ${after.id} was ${before.billing_status} with amount ${before.amount.text} at ${before.read_at}, ` +
      `and is ${after.billing_status} with amount ${after.amount.text} at ${after.read_at}.`,
    next_step: 'Ask the operator who changed a final record; both versions are kept in usage/records.ndjson.',
    // What is held back again is credit less, however little it exceeds the charge.
    ...(after.role === 'pending' && (after.reserved.lo ?? 0n) > 0n ? { direction: 'over' as const } : {}),
    bridge: explains ? (after.role === 'pending' ? 'held' : 'settled') : 'none',
  });
}

function vanishedFinding(context: JudgeContext, last: ServedRecord): Finding {
  const kept = keptBy(last, context.settings);
  return makeFinding({
    class: 'state_regression',
    rule: 'vanished',
    confidence: 'proved',
    delta: kept === null ? null : deltaOf(NO_CHARGE, kept),
    evidence: evidenceOf(last, null),
    request_id: last.request_id,
    model: last.model,
    explanation: `Record ${last.id} was served at ${last.read_at} and is missing from a later complete read of its time.`,
    next_step: 'Ask the operator where the record went; the version read is kept in usage/records.ndjson.',
    bridge: 'absent',
  });
}
