import type { CutManner } from '../../formats/stream-sink.ts';

/** Cuts a stream when so many of its events are written. */
export function cutAfterEvents(
  events: number,
  manner: CutManner,
  fire: () => void,
): { cutBefore(written: number): CutManner | null } {
  return {
    cutBefore(written) {
      if (written < events) return null;
      fire();
      return manner;
    },
  };
}
