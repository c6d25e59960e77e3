import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault } from '../../hooks/fault-definition.ts';

const MOST = 10_000;

/** Events wait for the last of their group and come in one write. */
export const netCoalesce = defineFault({
  id: 'net.coalesce',
  summary: 'Holds events back and sends k of them in one write, when the last of them is due.',
  charge: 'charged',
  shape: { events: z.int().min(2).max(MOST).describe('In one write.') },
  applies: (call) => call.stream,
  arm: ({ events }, { fire }) => ({
    *frames(frames) {
      let group: StreamFrame[] = [];
      for (const frame of frames) {
        group.push(frame);
        if (group.length < events) continue;
        yield* coalesced(group);
        fire();
        group = [];
      }
      yield* coalesced(group);
      if (group.length > 1) fire();
    },
  }),
});

/** All of a group are due with its last. */
export function coalesced(group: readonly StreamFrame[]): StreamFrame[] {
  const due_ms = group.at(-1)?.due_ms ?? 0;
  return group.map((frame) => ({ ...frame, due_ms }));
}
