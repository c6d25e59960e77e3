import type { Confidence } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { MatchPass } from '../../contracts/match-pass.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { Judgement } from './judgement.ts';

const MOST_OF: { readonly [P in MatchPass]?: Confidence } = {
  watermark: 'strong',
  fingerprint: 'strong',
  assignment: 'bounded',
  open_intent: 'strong',
};
const WEAKER: readonly Confidence[] = ['proved', 'strong', 'bounded', 'weak'];

/** A judgement under how its pair was made: a finding on it is no surer than the pair. */
export function withMatch(judgement: Judgement, { pass }: Pick<CallMatch, 'pass'>): Judgement {
  const most = MOST_OF[pass];
  return most === undefined
    ? judgement
    : { ...judgement, findings: judgement.findings.map((of) => atMost(of, most)) };
}

function atMost(finding: Finding, most: Confidence): Finding {
  return WEAKER.indexOf(finding.confidence) >= WEAKER.indexOf(most)
    ? finding
    : { ...finding, confidence: most };
}
