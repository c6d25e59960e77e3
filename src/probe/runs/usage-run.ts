import type { UsageWindow } from '../../contracts/usage-lines.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { WatchedWindow } from '../watch/target-watch.ts';
import { freeRun } from './free-run.ts';
import type { RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

const SECONDS: Readonly<Record<WatchedWindow, number>> = { '1h': 3_600, '1d': 86_400, '30d': 30 * 86_400 };

/** Ends with the second that is whole: what it holds can still be settled, and no record comes into it any more. */
export function probedWindow(name: WatchedWindow, clock: Pick<ProbeClock, 'now_ms'>): UsageWindow {
  const end = Math.floor(clock.now_ms() / 1000);
  return { start: end - SECONDS[name], end };
}

/** The totals of the last hour, day and 30 days. */
export function usageRun(means: TargetMeans, due: DueRun): Promise<RunOutcome> {
  return freeRun(means, due, async ({ client, take }) => {
    for (const name of ['1h', '1d', '30d'] as const) {
      const window = probedWindow(name, means.clock);
      const answer = await take(`GET /v1/usage of ${name}`, client.usageTotals({ window }));
      const at_ms = means.clock.now_ms();
      await means.seen({ document: 'totals', name, window, answer, probe: due.probe, at_ms });
    }
  });
}
