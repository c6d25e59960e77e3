import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { cutAfterEvents } from './cut-after-events.ts';
import { StreamCut } from './stream-cut.ts';

const MOST = 1_000_000_000;

/** RST inside the response, between two events or inside one. */
export const netResetMid = defineFault({
  id: 'net.reset_mid',
  summary: 'Resets the connection (RST) inside the stream after some events or bytes.',
  charge: 'charged',
  shape: {
    after: z.int().min(0).max(MOST).describe('What is still written before the reset.'),
    unit: z.enum(['events', 'bytes']).default('events').describe('Events, or bytes of the body.'),
  },
  applies: (call) => call.stream,
  arm({ after, unit }, { fire }) {
    if (unit === 'events') return cutAfterEvents(after, 'reset', fire);
    const cut = new StreamCut('reset', fire);
    return { frames: (frames) => upTo(frames, after, cut), cutBefore: () => cut.cutBefore() };
  },
});

function* upTo(frames: Iterable<StreamFrame>, bytes: number, cut: StreamCut): Generator<StreamFrame> {
  let left = bytes;
  for (const frame of frames) {
    const length = Buffer.byteLength(frame.text);
    if (length > left) {
      yield* cut.inside(frame, startOf(frame.text, left));
      return;
    }
    left -= length;
    yield frame;
  }
}

/** The most whole characters that `bytes` hold. */
function startOf(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '');
}
