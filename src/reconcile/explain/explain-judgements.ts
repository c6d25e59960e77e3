import type { JudgeContext } from '../expect/judge-context.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { OwnCounts } from '../tokens/token-count-learn.ts';
import { applyHypotheses } from './apply-hypotheses.ts';
import { judgeOwnCounts } from './own-token-counts.ts';

/** Names one cause for many rows, and holds told token counts against the client's own. */
export function explainJudgements(
  context: JudgeContext,
  judgements: readonly Judgement[],
  own: OwnCounts,
): readonly Judgement[] {
  return judgeOwnCounts(context, applyHypotheses(context, judgements), own);
}
