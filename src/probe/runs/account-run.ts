import type { DueRun } from '../schedule/due-run.ts';
import { freeRun } from './free-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** The account that the access token opens. */
export function accountRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take }) => {
    const answer = await take('GET /api/user/self', client.account());
    const at_ms = means.clock.now_ms();
    await means.seen({ document: 'account', answer, probe: due.probe, at_ms });
  });
}
