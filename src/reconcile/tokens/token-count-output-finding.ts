import type { Finding } from '../../contracts/finding.ts';
import { evidenceOf } from '../judges/evidence-of.ts';
import type { JudgeContext } from '../judges/judge-context.ts';
import type { JudgedSubject } from '../judges/judgement.ts';
import { makeFinding } from '../judges/make-finding.ts';
import { tokenDifferences } from '../judges/token-differences.ts';
import type { OwnOutput } from './own-outputs.ts';
import { worthOf } from './token-count-worth.ts';

/** Tokens, and the share of an answer's own, that a difference must exceed. */
const LEAST_DIFFERENCE = 4;
const LEAST_PERCENT = 2;

/**
 * An answer and its record that agree on other output tokens than the text has. A model may make a text of other tokens
 * than the encoding makes of it, and a limit may cut the bytes of its last character: so few say nothing.
 */
export function outputFinding(
  context: JudgeContext,
  subject: JudgedSubject,
  count: OwnOutput,
): Finding | null {
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
