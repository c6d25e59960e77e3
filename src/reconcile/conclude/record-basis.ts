import type { Finding } from '../../contracts/finding.ts';
import type { Judgement } from '../judges/judgement.ts';
import { isRecordCall } from '../match/record-calls.ts';

/** What stands for the call that nobody tells of: there is no ledger. */
const ALONE = {
  call_id: null,
  row: null,
  started_at: null,
  outcome: null,
  match_why: 'no ledger: the records of one request, judged by themselves',
  basis: 'record',
} as const;

/** A judgement of a record by itself, as such: without the call that stood for it. */
export function onRecordBasis(judgement: Judgement): Judgement {
  if (!isRecordCall(judgement.subject?.call.call_id ?? null)) return judgement;
  return {
    ...judgement,
    calls: judgement.calls.map((call) => ({ ...call, ...ALONE })),
    findings: judgement.findings.map(withoutCall),
  };
}

function withoutCall(finding: Finding): Finding {
  return {
    ...finding,
    call_id: null,
    evidence: finding.evidence.filter((each) => !each.startsWith('call:')),
  };
}
