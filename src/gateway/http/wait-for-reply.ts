import type { ServerResponse } from 'node:http';
import type { TimerWheel } from '../time/timer-wheel.ts';

/** Waits until `due_ms` of the monotonic clock; the lateness in ms, or null when the client left before. */
export function waitForReply(raw: ServerResponse, wheel: TimerWheel, due_ms: number): Promise<number | null> {
  if (raw.destroyed || raw.closed) return Promise.resolve(null);
  return new Promise((resolve) => {
    const left = (): void => {
      timer.cancel();
      resolve(null);
    };
    const timer = wheel.at(due_ms, (lateness_ms) => {
      raw.off('close', left);
      resolve(lateness_ms);
    });
    raw.once('close', left);
  });
}
