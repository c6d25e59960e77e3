import type { Finding } from '../../contracts/finding.ts';
import type { AccountFigures, ReadLine } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';

import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, instantKey } from './read-evidence.ts';

/** A ratio is constant where the largest is at most so many times the smallest. */
const STEADY = 1.5;
/** What does not reach this share of the consumption is noise of reserves that were open. */
const LEAST_SHARE = 0.02;
const LEAST_READS = 3;

interface AccountRead {
  readonly read: ReadLine;
  readonly account: AccountFigures;
}

/**
 * The account's counters, which are in units of their own and are never turned into USD (interface §2): by sign and by
 * ratio alone, so what they show is weak. The number of requests never falls, nor does consumption unless something was
 * given back (`refunds`); and what is consumed leaves
 * the credit, in the same units, so both together stay as they are unless credit is added, which is not proportional
 * to the consumption.
 */
export function judgeAccount(reads: readonly ReadLine[], refunds = false): readonly Finding[] {
  const known = reads
    .flatMap((read) => (read.account === null ? [] : [{ read, account: read.account }]))
    .toSorted((left, right) => compareText(instantKey(left.read), instantKey(right.read)));
  const fell = known.findIndex(({ account }, index) => {
    const before = known[index - 1]?.account;
    return (
      before !== undefined &&
      ((!refunds && account.used_quota < before.used_quota) || account.request_count < before.request_count)
    );
  });
  if (fell > 0) return [fellFinding(known.slice(fell - 1, fell + 1))];
  return [...drift(known)];
}

function fellFinding(pair: readonly AccountRead[]): Finding {
  const [before, after] = pair;
  return finding(
    'counter_fell',
    pair,
    `Between ${before?.read.read_at} and ${after?.read.read_at} used_quota went from ${before?.account.used_quota} to ` +
      `${after?.account.used_quota} and request_count from ${before?.account.request_count} to ` +
      `${after?.account.request_count}: counters of what was consumed cannot fall.`,
  );
}

/** Consumption that leaves more, or less, than itself in the credit, by the same ratio at every read. */
function* drift(known: readonly AccountRead[]): Generator<Finding> {
  const [first] = known;
  if (first === undefined) return;
  const moved = known.flatMap((one) => {
    const used = one.account.used_quota - first.account.used_quota;
    const apart = used + one.account.quota - first.account.quota;
    return used > 0 ? [{ one, used, ratio: apart / used }] : [];
  });
  const steps = moved.filter(({ used }, index) => used > (moved[index - 1]?.used ?? 0));
  const ratios = steps.map(({ ratio }) => Math.abs(ratio));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const sign = new Set(steps.map(({ ratio }) => Math.sign(ratio)));
  const grew = (steps.at(-1)?.used ?? 0) >= 2 * (steps[0]?.used ?? 0);
  if (steps.length < LEAST_READS || sign.size !== 1 || !grew) return;
  // Open reserves only lower the credit: without a steady share of the consumption they say nothing.
  if (least < LEAST_SHARE || most > STEADY * least) return;
  const percent = ((steps.at(-1)?.ratio ?? 0) * 100).toFixed(1);
  yield finding(
    'used_and_credit_apart',
    steps.map(({ one }) => one),
    `Over ${steps.length} reads used_quota grew by more or less than the credit fell, each time by about ${percent} % of the growth.`,
  );
}

function finding(rule: string, shown: readonly AccountRead[], explanation: string): Finding {
  return makeFinding({
    class: 'account_counter_drift',
    rule,
    confidence: 'weak',
    delta: null,
    evidence: evidenceOfRead(shown.map(({ read }) => read)),
    explanation,
    next_step:
      'Ask the operator how the counter is kept; it is no measure of USD, and nothing is claimed by it.',
  });
}
