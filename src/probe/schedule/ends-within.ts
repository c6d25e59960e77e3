import type { ProbeClock } from './probe-clock.ts';

/** Waits until all have ended, however they did, and no longer than this. */
export async function endsWithin(
  clock: Pick<ProbeClock, 'setTimer'>,
  ends: readonly Promise<unknown>[],
  ms: number,
): Promise<void> {
  if (ends.length === 0) return;
  let cancel = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = clock.setTimer(ms, resolve);
  });
  await Promise.race([Promise.allSettled(ends), limit]);
  cancel();
}
