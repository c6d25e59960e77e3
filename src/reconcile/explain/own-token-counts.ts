import { type CoverageSetting, shownSetting } from '../../contracts/coverage-result.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { chargeContext } from '../expect/call-facts.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import { evidenceOf } from '../judge/evidence-of.ts';
import type { JudgedSubject, Judgement } from '../judge/judgement.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { tokenDifferences } from '../judge/token-differences.ts';
import { WARRANTS } from '../judge/warrants.ts';
import type { OwnOutput } from '../tokens/own-outputs.ts';
import type { OwnCount, OwnCounts } from '../tokens/token-count-learn.ts';

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
    shownSetting({
      name,
      value: `${calls.size} of ${text_calls} text calls`,
      evidence: evidence(encodings.join(', ')),
    }),
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
    warrant: WARRANTS.own_count,
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

/** Tokens, and the share of an answer's own, that a difference must exceed. */
const LEAST_DIFFERENCE = 4;
const LEAST_PERCENT = 2;

/**
 * An answer and its record that agree on other output tokens than the text has. A model may make a text of other tokens
 * than the encoding makes of it, and a limit may cut the bytes of its last character: so few say nothing.
 */
function outputFinding(context: JudgeContext, subject: JudgedSubject, count: OwnOutput): Finding | null {
  const { call, record } = subject;
  const output = call.row?.usage?.output ?? null;
  if (output === null || record.output === null || record.role !== 'settled') return null;
  if (tokenDifferences(context.settings, call, record).some(({ field }) => field === 'output')) return null;
  const beyond = count.told - count.text - count.added;
  if (Math.abs(beyond) <= Math.max(LEAST_DIFFERENCE, Math.ceil((count.text * LEAST_PERCENT) / 100)))
    return null;
  // Where there was reasoning, fewer visible tokens may only be told as more of it.
  const reasoning = output - count.told;
  if (beyond < 0 && reasoning > 0) return null;
  const own = output - beyond;
  const worth = worthOf(context, subject, 'output', { told: BigInt(output), own: BigInt(own) });
  const over = beyond > 0;
  return makeFinding({
    class: 'token_mismatch',
    rule: 'own_count_output',
    warrant: WARRANTS.own_count,
    confidence: 'strong',
    direction: over ? 'over' : 'under',
    delta: worth === null ? null : over ? { min: 0n, max: worth } : { min: worth, max: 0n },
    // What is due by the told usage was charged: the sums agree, and this finding doubts what they rest on.
    bridge: 'none',
    evidence: evidenceOf(record, call),
    request_id: record.request_id === '' ? null : record.request_id,
    call_id: call.call_id,
    model: call.model,
    explanation:
      `Answer and record ${record.id} count ${count.told} output tokens${reasoning > 0 ? ` beside ${reasoning} of reasoning` : ''}; ` +
      `the text of the answer has ${count.text} by ${count.encoding}, and nearly every answer of this model is told ${count.added} beyond its text.`,
    next_step: over
      ? 'Ask for the usage of the upstream, and for the tokens that never came.'
      : 'Ask for the usage of the upstream; what was told too little may be charged later.',
  });
}

/**
 * What the call costs with `told` tokens of a kind beyond what it costs with `own`; null where that is not known, or
 * where a part of the input that is priced by itself would be larger than the whole.
 */
function worthOf(
  context: JudgeContext,
  { call, record, expectation }: JudgedSubject,
  field: 'input' | 'output',
  { told, own }: { readonly told: bigint; readonly own: bigint },
): PicoUsd | null {
  const book = bookOf(context, record);
  if (book === null || 'unknown' in expectation || expectation.facts === null) return null;
  const { facts } = expectation;
  const charge = (tokens: bigint): PicoUsd | null => {
    const of: ChargeFacts = { ...facts, [field]: tokens };
    const result = evaluateCharge(book, of, chargeContext(context, call));
    return 'unpriced' in result ? null : result.rounded;
  };
  const parts = field === 'input' ? [facts.cache_read, facts.cache_write] : [facts.reasoning];
  const known = parts.map((each) => (typeof each === 'bigint' ? each : 0n));
  if (own < known.reduce((total, tokens) => total + tokens, 0n)) return null;
  const [all, due] = [charge(told), charge(own)];
  return all === null || due === null ? null : all - due;
}
