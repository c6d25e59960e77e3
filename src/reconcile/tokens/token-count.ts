import type { PicoUsd } from '../../core/amount.ts';
import type { Finding } from '../../core/finding.ts';
import type { CoverageSetting } from '../../core/result.ts';
import type { ChargeFacts } from '../../pricebook/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/evaluate-charge.ts';
import { chargeContext } from '../books/expected-charge.ts';
import { bookOf, type JudgeContext } from '../judges/judge-context.ts';
import { evidenceOf } from '../judges/judge-record.ts';
import type { JudgedSubject, Judgement } from '../judges/judgement.ts';
import { makeFinding } from '../judges/make-finding.ts';
import { tokenDifferences } from '../judges/token-differences.ts';
import type { OwnCount, OwnCounts } from './token-count-learn.ts';

/**
 * Holds the client's own count of its prompts against the records: where answer and record agree on more input tokens
 * than were sent with what this model's template always adds, both are told too much. Where no count was made, or the
 * answer tells other tokens than the record, nothing is said here.
 */
export function judgeOwnCounts(
  context: JudgeContext,
  judgements: readonly Judgement[],
  own: OwnCounts,
): readonly Judgement[] {
  if (own.calls.size === 0) return judgements;
  return judgements.map((judgement) => {
    const { subject, calls } = judgement;
    const count = subject === undefined ? undefined : own.calls.get(subject.call.call_id);
    const finding = subject === undefined || count === undefined ? null : inflated(context, subject, count);
    if (finding === null) return judgement;
    return {
      ...judgement,
      findings: [...judgement.findings, finding],
      calls: calls.map((call) => ({
        ...call,
        verdict: 'finding' as const,
        why: `${call.why}; ${finding.class}`,
      })),
    };
  });
}

/** How many calls were held against an own count; nothing where none was. */
export function ownCountSettings({ calls, text_calls }: OwnCounts): readonly CoverageSetting[] {
  if (calls.size === 0) return [];
  const encodings = [...new Set([...calls.values()].map(({ encoding }) => encoding))].sort();
  return [
    {
      name: 'own_token_count',
      value: `${calls.size} of ${text_calls} text calls`,
      evidence: `their prompts follow from the plan and were counted by ${encodings.join(', ')}; what a model's template adds is what nearly all its calls were told beyond that`,
    },
  ];
}

function inflated(context: JudgeContext, subject: JudgedSubject, count: OwnCount): Finding | null {
  const { call, record } = subject;
  const told = call.row?.usage?.input ?? null;
  const own = count.prompt + count.template;
  if (told === null || told <= own || record.input === null || record.role !== 'settled') return null;
  if (tokenDifferences(context.settings, call, record).some(({ field }) => field === 'input')) return null;
  const most = worth(context, subject, BigInt(told), BigInt(own));
  return makeFinding({
    class: 'token_mismatch',
    rule: 'own_count',
    confidence: 'strong',
    direction: 'over',
    delta: most === null ? null : { min: 0n, max: most },
    // What is due by the told usage was charged: the sums agree, and this finding doubts what they rest on.
    bridge: 'none',
    evidence: evidenceOf(record, call),
    request_id: record.request_id === '' ? null : record.request_id,
    call_id: call.call_id,
    model: call.model,
    explanation:
      `Answer and record ${record.id} count ${told} input tokens; the prompt that was sent has ${count.prompt} by ${count.encoding}, ` +
      `and the template adds ${count.template} to nearly every call of this model.`,
    next_step: 'Ask for the usage of the upstream; claim the tokens that were never sent.',
  });
}

/** The price of the tokens that were not sent; null where they are not all plain input. */
function worth(
  context: JudgeContext,
  { call, record, expectation }: JudgedSubject,
  told: bigint,
  own: bigint,
): PicoUsd | null {
  const book = bookOf(context, record);
  if (book === null || 'unknown' in expectation || expectation.facts === null) return null;
  const { facts } = expectation;
  const charge = (input: bigint): PicoUsd | null => {
    const of: ChargeFacts = { ...facts, input };
    const result = evaluateCharge(book, of, chargeContext(context, call));
    return 'unpriced' in result ? null : result.rounded;
  };
  const cached = [facts.cache_read, facts.cache_write].map((each) => (typeof each === 'bigint' ? each : 0n));
  if (own < cached.reduce((total, tokens) => total + tokens, 0n)) return null;
  const [all, sent] = [charge(told), charge(own)];
  return all === null || sent === null ? null : all - sent;
}
