import type { Finding } from '../core/finding.ts';
import { chargeOf, deltaOf } from './charge.ts';
import type { JudgeContext } from './judge-context.ts';
import { evidenceOf } from './judge-record.ts';
import { covers } from './judged-sweep.ts';
import { makeFinding } from './make-finding.ts';
import type { ServedRecord } from './served-record.ts';

const FINAL: readonly string[] = ['settled', 'refunded'];

/** Records that changed after they were final, or that are gone, over all reads. `isOurs` keeps foreign ones out. */
export function judgeHistory(
  context: JudgeContext,
  isOurs: (record: ServedRecord) => boolean,
): readonly Finding[] {
  const { sweep } = context;
  const present = new Set(sweep.records.map(({ key }) => key));
  const byKey = Map.groupBy(sweep.versions.filter(isOurs), ({ key }) => key);
  return [...byKey.values()].flatMap((versions) => {
    if (hasTwins(versions)) return [];
    const changed = versions.flatMap((version, index) => {
      const before = versions[index - 1];
      return before !== undefined && regressed(before, version)
        ? [changedFinding(context, before, version)]
        : [];
    });
    const last = versions.at(-1);
    const first = changed.slice(0, 1);
    if (last === undefined || present.has(last.key) || sweep.complete === null) return first;
    return last.created_at !== null && covers(sweep, last.created_at)
      ? [...first, vanishedFinding(last)]
      : first;
  });
}

/** Two records of one id in one read: versions cannot be told from copies. */
function hasTwins(versions: readonly ServedRecord[]): boolean {
  const moments = versions.map(({ sweep, read_at }) => `${sweep} ${read_at}`);
  return new Set(moments).size < moments.length;
}

/** A settled record may still be refunded; nothing else about a final record may change. */
function regressed(before: ServedRecord, after: ServedRecord): boolean {
  if (!FINAL.includes(before.billing_status) || before.content === after.content) return false;
  return !(before.billing_status === 'settled' && after.billing_status === 'refunded');
}

function changedFinding(context: JudgeContext, before: ServedRecord, after: ServedRecord): Finding {
  const then = chargeOf(before, context.settings);
  const now = chargeOf(after, context.settings);
  return makeFinding({
    class: 'state_regression',
    rule: 'changed_after_settlement',
    confidence: 'proved',
    delta: then === null || now === null ? null : deltaOf(now, then),
    evidence: evidenceOf(after, null),
    request_id: after.request_id,
    model: after.model,
    explanation:
      `Record ${after.id} was ${before.billing_status} with amount ${before.amount.text} at ${before.read_at}, ` +
      `and is ${after.billing_status} with amount ${after.amount.text} at ${after.read_at}.`,
    next_step: 'Ask the operator who changed a final record; both versions are kept in usage/records.ndjson.',
  });
}

function vanishedFinding(last: ServedRecord): Finding {
  return makeFinding({
    class: 'state_regression',
    rule: 'vanished',
    confidence: 'proved',
    delta: null,
    evidence: evidenceOf(last, null),
    request_id: last.request_id,
    model: last.model,
    explanation: `Record ${last.id} was served at ${last.read_at} and is missing from a later complete read of its time.`,
    next_step: 'Ask the operator where the record went; the version read is kept in usage/records.ndjson.',
  });
}
