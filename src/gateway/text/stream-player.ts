import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { CutManner } from '../faults/hooks/stream-hooks.ts';
import type { TimerHandle, TimerWheel } from '../latency/timer-wheel.ts';

export interface StreamFrame {
  readonly text: string;
  /** Moment of the monotonic clock. */
  readonly due_ms: number;
  readonly hasText: boolean;
  /** The terminator event. */
  readonly last: boolean;
}

export interface StreamHooks {
  cutNow(): CutManner | null;
  /** Before the terminator is written. */
  beforeLast(): void;
  wrote(frame: StreamFrame, lateness_ms: number): void;
}

export type StreamEnd = 'finished' | 'cut' | 'client_left';

/** interface leaves it open; a comment keeps intermediaries from closing a silent stream. */
export const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_COMMENT = ': PING\n\n';

interface StreamParts {
  readonly raw: ServerResponse;
  readonly clock: Clock;
  readonly wheel: TimerWheel;
}

/** Writes frames at their due times, never faster than the client reads; resolves how the stream ended. */
export function playStream(
  { raw, clock, wheel }: StreamParts,
  frames: Iterator<StreamFrame, undefined>,
  hooks: StreamHooks,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    let next = frames.next().value;
    let ended = false;
    let timer: TimerHandle | null = null;
    let lastWrite = clock.monoMs();
    /** While the client reads slowly, frames wait for it: that is not lateness of ours. */
    let writableSince = 0;

    const end = (how: StreamEnd): void => {
      if (ended) return;
      ended = true;
      timer?.cancel();
      resolve(how);
    };

    const schedule = (): void => {
      if (ended || next === undefined) return;
      timer = wheel.at(Math.min(next.due_ms, lastWrite + KEEP_ALIVE_MS), step);
    };

    const step = (): void => {
      if (ended) return;
      const { text, after } = gatherDue();
      if (after === 'finished') {
        raw.end(text);
        end('finished');
        return;
      }
      const writable = text === '' || raw.write(text);
      if (after !== 'wait') {
        cut(raw, after);
        end('cut');
      } else if (writable) schedule();
      else raw.once('drain', resume);
    };

    const resume = (): void => {
      writableSince = clock.monoMs();
      step();
    };

    /** Everything due by now as one write: each write is a system call. */
    const gatherDue = (): { text: string; after: 'wait' | 'finished' | CutManner } => {
      let text = '';
      for (; next !== undefined; next = frames.next().value) {
        const now = clock.monoMs();
        if (next.due_ms > now) {
          if (now - lastWrite < KEEP_ALIVE_MS) return { text, after: 'wait' };
          lastWrite = now;
          return { text: text + KEEP_ALIVE_COMMENT, after: 'wait' };
        }
        const manner = hooks.cutNow();
        if (manner !== null) return { text, after: manner };
        if (next.last) hooks.beforeLast();
        text += next.text;
        lastWrite = now;
        hooks.wrote(next, Math.max(0, now - Math.max(next.due_ms, writableSince)));
      }
      return { text, after: 'finished' };
    };

    raw.once('close', () => end('client_left'));
    // A write that meets a destroyed socket: the client left a moment before its close is seen.
    raw.on('error', () => end('client_left'));
    schedule();
  });
}

function cut(raw: ServerResponse, manner: CutManner): void {
  if (manner === 'eof') {
    raw.end();
    return;
  }
  // end() of the socket sends what was written and then FIN, without the chunk that ends the body.
  const { socket } = raw;
  socket?.end(() => socket.destroy());
}
