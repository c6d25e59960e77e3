import type { Finding } from '../../core/finding.ts';
import type { JudgedCall } from '../../core/reconciliation.ts';
import { untoldByRecords } from '../../pricebook/untold-by-records.ts';
import { evidenceOf } from '../judges/evidence-of.ts';
import { bookOf, type JudgeContext } from '../judges/judge-context.ts';
import type { Judgement } from '../judges/judgement.ts';
import { makeFinding } from '../judges/make-finding.ts';
import { isRecordCall } from './record-calls.ts';

/** No answer told anything: there is no ledger. */
const BY_ITSELF = 'no ledger: the records of one request, judged by themselves';

/**
 * A judgement of a record by itself, as such: without the call that stood for it, and no more than possible where the
 * record does not count what was charged (images, seconds).
 */
export function onRecordBasis(context: JudgeContext, judgement: Judgement): Judgement {
  const { subject } = judgement;
  if (subject === undefined || !isRecordCall(subject.call.call_id)) return judgement;
  const book = bookOf(context, subject.record);
  const counted = subject.call.text && (book === null || !untoldByRecords(book, subject.call.model));
  const impossible = subject.call.text ? [] : noMultiple(judgement);
  return {
    ...judgement,
    calls: judgement.calls.map((call) => asRecord(call, counted, impossible.length > 0)),
    findings: [...judgement.findings.map(withoutCall), ...impossible],
    money: counted
      ? judgement.money
      : judgement.money.map((part) =>
          part.checked === 'to_the_digit' ? { ...part, checked: 'within_bounds' as const } : part,
        ),
  };
}

function asRecord(call: JudgedCall, counted: boolean, impossible: boolean): JudgedCall {
  const verdict = impossible
    ? 'finding'
    : call.verdict === 'to_the_digit' && !counted
      ? 'within_bounds'
      : call.verdict;
  const alone = { call_id: null, row: null, started_at: null, outcome: null, match_why: BY_ITSELF } as const;
  return { ...call, ...alone, verdict, basis: 'record' };
}

/** An amount that no number of images or seconds at any price of the model makes. */
function noMultiple({ subject, findings }: Judgement): readonly Finding[] {
  const charged = subject?.charge ?? null;
  if (subject === undefined || charged === null || charged.lo <= 0n || findings.length > 0) return [];
  if (!('unknown' in subject.expectation) || subject.expectation.unpriced_model) return [];
  const { record } = subject;
  return [
    makeFinding({
      class: 'amount_mismatch',
      rule: 'no_multiple_of_a_price',
      confidence: 'bounded',
      delta: null,
      evidence: evidenceOf(record, null),
      request_id: record.request_id === '' ? null : record.request_id,
      model: record.model,
      explanation: `Record ${record.id} charges ${record.amount.text} USD, which no number of units at any price of ${record.model} makes.`,
      next_step: 'Ask the operator how many units were charged at which price.',
    }),
  ];
}

function withoutCall(finding: Finding): Finding {
  return {
    ...finding,
    call_id: null,
    evidence: finding.evidence.filter((each) => !each.startsWith('call:')),
  };
}
