import type { TextKind } from '../../core/call-kind.ts';
import type { DueRun } from '../schedule/due-run.ts';
import { callOf, intendCall, reserve, settleRow } from './paid-run.ts';
import { reportRun, saidOfCall, startNow } from './report-run.ts';
import { INTERRUPTED, NO_RUN_FACTS, OVER_BUDGET, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** A text call of any format, streamed or not. */
export async function textRun(means: TargetMeans, due: DueRun, kind: TextKind): Promise<RunOutcome> {
  const reserved = await reserve(means, due);
  if (reserved === null) return OVER_BUDGET;
  const day = means.ledger.today();
  const { stream, max_tokens } = due.probe;
  const call = {
    ...callOf(due.probe, day, reserved.worst),
    kind,
    stream,
    max_tokens,
    auth: 'bearer',
  } as const;
  await intendCall(means, reserved, day, call);
  const start = startNow(means);
  const result = await day.client.text(call, due.signal);
  const { row, since_sent, stream_events, broken_rules } = result;
  means.ledger.rows([row]);
  const spend = await settleRow(means, reserved, row);
  if (row.outcome === 'interrupted') return INTERRUPTED;
  const expected = stream ? 'a stream with text and its own ending' : 'an answer with text';
  return {
    kind: 'ended',
    run: reportRun(means, due, start, {
      ...saidOfCall(result, [row], expected, spend),
      duration_ms: row.end_ms,
    }),
    facts: {
      ...NO_RUN_FACTS,
      broken_rules,
      stream: stream
        ? {
            first_event_ms: since_sent.first_event,
            first_content_ms: since_sent.first_content,
            last_content_ms: since_sent.last_content,
            max_gap_ms: row.max_gap_ms,
            events: stream_events,
          }
        : null,
    },
  };
}
