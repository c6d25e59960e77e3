import type { DueRun } from '../schedule/due-run.ts';
import { callOf, intendCall, reserve, settleRow } from './paid-run.ts';
import { reportRun, saidOfCall, startNow } from './report-run.ts';
import { INTERRUPTED, NO_RUN_FACTS, OVER_BUDGET, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** A picture at once, whose bytes are checked. */
export async function imageRun(
  means: TargetMeans,
  due: DueRun,
  kind: 'image' | 'image_edit',
): Promise<RunOutcome> {
  const reserved = await reserve(means, due);
  if (reserved === null) return OVER_BUDGET;
  const day = means.ledger.today();
  const { size, quality } = due.probe;
  const shape = { kind, size, quality, response_format: null, multipart: kind === 'image_edit' } as const;
  const call = { ...callOf(due.probe, day, reserved.worst), ...shape };
  await intendCall(means, reserved, day, call);
  const start = startNow(means);
  const result = await day.client.image(call, due.signal);
  const rows = [result.row, ...result.free_rows];
  means.ledger.rows(rows);
  const spend = await settleRow(means, reserved, result.row);
  if (rows.some(({ outcome }) => outcome === 'interrupted')) return INTERRUPTED;
  const { broken_rules, content } = result;
  return {
    kind: 'ended',
    run: reportRun(means, due, start, saidOfCall(result, rows, 'a whole picture', spend)),
    facts: { ...NO_RUN_FACTS, broken_rules, content_bytes: content?.bytes ?? null },
  };
}
