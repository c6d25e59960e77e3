import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import type { CutManner } from '../../formats/stream-sink.ts';
import { defineFault, firing } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';

/** A cut inside an event: part of it is written, nothing after it. */
export class StreamCut {
  readonly #manner: CutManner;
  readonly #fire: () => void;
  #due = false;

  constructor(manner: CutManner, fire: () => void) {
    this.#manner = manner;
    this.#fire = fire;
  }

  /** What is written of `frame`, which counts as no event, and then the frame before which the cut falls due. */
  *inside(frame: StreamFrame, text: string): Generator<StreamFrame, undefined> {
    yield { ...frame, text, hasText: false, last: false, event: false };
    this.#due = true;
    yield { ...frame, last: false };
    return undefined;
  }

  /** The hook of the same name. */
  cutBefore(): CutManner | null {
    if (!this.#due) return null;
    this.#fire();
    return this.#manner;
  }
}

/** The response ends properly as HTTP, but its terminator event never came. */
export const netEofClean = defineFault({
  id: 'net.eof_clean',
  summary: 'Ends the stream properly as HTTP after some events, without its terminator event.',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }, { fire }) => cutAfterEvents(after_events, 'eof', fire),
});

/** Cuts a stream when so many of its events are written. */
function cutAfterEvents(
  events: number,
  manner: CutManner,
  fire: () => void,
): { cutBefore(written: number): CutManner | null } {
  return {
    cutBefore: firing(fire, (written) => (written < events ? null : manner)),
  };
}

/** The connection closes inside the response: no chunked end, no terminator event. */
export const netFinMid = defineFault({
  id: 'net.fin_mid',
  summary: 'Closes the connection inside the stream after some events.',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm: ({ after_events }, { fire }) => cutAfterEvents(after_events, 'fin', fire),
});

const MOST = 1_000_000_000;

/** RST inside the response, between two events or inside one. */
export const netResetMid = defineFault({
  id: 'net.reset_mid',
  summary: 'Resets the connection (RST) inside the stream after some events or bytes.',
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
