import type { ServerResponse } from 'node:http';
import type { Clock } from '../time/clock.ts';
import type { ServingPlace } from './gateway-latency.ts';

/**
 * Waits for the place of a call; gives the moment of the monotonic clock from which it is served, which is that of its
 * acceptance where it did not wait, or null when its client left before.
 */
export async function servedFrom(
  { ready }: ServingPlace,
  raw: ServerResponse,
  received_ms: number,
  clock: Clock,
): Promise<number | null> {
  if (ready === null) return received_ms;
  if (raw.destroyed || raw.closed) return null;
  const left = Promise.withResolvers<false>();
  const leave = (): void => left.resolve(false);
  raw.once('close', leave);
  const served = await Promise.race([ready.then(() => true), left.promise]);
  raw.off('close', leave);
  return served ? clock.monoMs() : null;
}
