import type { Finding } from '../../contracts/finding.ts';
import type { CoverageSetting } from '../../contracts/result.ts';
import { evidenceOf } from '../judges/evidence-of.ts';
import type { JudgeContext } from '../judges/judge-context.ts';
import type { JudgedSubject, Judgement } from '../judges/judgement.ts';
import { makeFinding } from '../judges/make-finding.ts';
import { tokenDifferences } from '../judges/token-differences.ts';
import type { OwnCount, OwnCounts } from './token-count-learn.ts';
import { outputFinding } from './token-count-output-finding.ts';
import { worthOf } from './token-count-worth.ts';

/**
 * Holds the client's own count of its prompts, and of the texts of answers, against the records: where answer and record
 * agree on more input tokens than were sent with what this model's template always adds, both are told too much; and so
 * with the output. Where no count was made, or the answer tells other tokens than the record, nothing is said here.
 */
export function judgeOwnCounts(
  context: JudgeContext,
  judgements: readonly Judgement[],
  own: OwnCounts,
): readonly Judgement[] {
  if (own.calls.size === 0 && (own.outputs?.calls.size ?? 0) === 0) return judgements;
  return judgements.map((judgement) => {
    const { subject, calls } = judgement;
    if (subject === undefined) return judgement;
    const prompt = own.calls.get(subject.call.call_id);
    const answer = own.outputs?.calls.get(subject.call.call_id);
    const findings = [
      prompt === undefined ? null : inflated(context, subject, prompt),
      answer === undefined ? null : outputFinding(context, subject, answer),
    ].filter((finding) => finding !== null);
    if (findings.length === 0) return judgement;
    return {
      ...judgement,
      findings: [...judgement.findings, ...findings],
      calls: calls.map((call) => ({
        ...call,
        verdict: 'finding' as const,
        why: [call.why, ...new Set(findings.map((finding) => finding.class))].join('; '),
      })),
    };
  });
}

/** How many calls were held against an own count of their prompt, and of their answer; nothing where none was. */
export function ownCountSettings({ calls, text_calls, outputs }: OwnCounts): readonly CoverageSetting[] {
  return [
    ...settingOf(
      'own_token_count',
      { calls, text_calls },
      (by) =>
        `their prompts follow from the plan and were counted by ${by}; what a model's template adds is what nearly all its calls were told beyond that`,
    ),
    ...settingOf(
      'own_output_count',
      outputs ?? { calls: new Map(), text_calls: 0 },
      (by) =>
        `the texts of their answers were kept and counted by ${by}; what a model always adds is what nearly all its answers were told beyond that and their reasoning`,
    ),
  ];
}

function settingOf(
  name: string,
  {
    calls,
    text_calls,
  }: { readonly calls: ReadonlyMap<string, { readonly encoding: string }>; readonly text_calls: number },
  evidence: (encodings: string) => string,
): readonly CoverageSetting[] {
  if (calls.size === 0) return [];
  const encodings = [...new Set([...calls.values()].map(({ encoding }) => encoding))].sort();
  return [
    { name, value: `${calls.size} of ${text_calls} text calls`, evidence: evidence(encodings.join(', ')) },
  ];
}

function inflated(context: JudgeContext, subject: JudgedSubject, count: OwnCount): Finding | null {
  const { call, record } = subject;
  const told = call.row?.usage?.input ?? null;
  const own = count.prompt + count.template;
  if (told === null || told <= own || record.input === null || record.role !== 'settled') return null;
  if (tokenDifferences(context.settings, call, record).some(({ field }) => field === 'input')) return null;
  const most = worthOf(context, subject, 'input', { told: BigInt(told), own: BigInt(own) });
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
    next_step: 'Ask for the usage of the upstream, and for the tokens that were never sent.',
  });
}
