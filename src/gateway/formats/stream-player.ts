import type { ServerResponse } from 'node:http';
import type { Clock } from '../time/clock.ts';
import type { TimerWheel } from '../time/timer-wheel.ts';
import type { CutManner, StreamSink } from './stream-sink.ts';

export interface StreamFrame {
  readonly text: string;
  /** Moment of the monotonic clock. */
  readonly due_ms: number;
  readonly hasText: boolean;
  /** The terminator event. */
  readonly last: boolean;
  /** Only faults set the rest. False: no keep-alive comment breaks the silence before it. */
  readonly keepAlive?: false;
  /** False: it is no event, such as a comment, and counts as none. */
  readonly event?: false;
}

export interface PlayerHooks {
  cutNow(): CutManner | null;
  /** Before the terminator is written. */
  beforeLast(): void;
  wrote(frame: StreamFrame, lateness_ms: number): void;
  /** Every event is counted: what must be done before the client has the last of them; null: nothing. */
  beforeEnd(): Promise<void> | null;
}

export type StreamEnd = 'finished' | 'cut' | 'client_left';

/** interface leaves it open; a comment keeps intermediaries from closing a silent stream. */
export const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_COMMENT = ': PING\n\n';

/** Characters after which a write is full: a reader that stood still may have made all of a stream due. */
const FULL_WRITE = 65_536;

interface StreamParts {
  /** Tells when the client has left. */
  readonly raw: ServerResponse;
  readonly sink: StreamSink;
  readonly clock: Clock;
  readonly wheel: TimerWheel;
}

/** Writes frames at their due times, never faster than the client reads; resolves how the stream ended. Throws what a hook throws. */
export function playStream(
  { raw, sink, clock, wheel }: StreamParts,
  frames: Iterator<StreamFrame, undefined>,
  hooks: PlayerHooks,
): Promise<StreamEnd> {
  return new Promise((resolve, reject) => {
    let next = frames.next().value;
    let ended = false;
    let lastWrite = clock.monoMs();
    /** While the client reads slowly, frames wait for it: that is not lateness of ours. */
    let writableSince = 0;

    const end = (how: StreamEnd): void => {
      if (ended) return;
      ended = true;
      timer.cancel();
      resolve(how);
    };

    const schedule = (): void => {
      if (ended || next === undefined) return;
      const keepAlive = next.keepAlive === false ? next.due_ms : lastWrite + KEEP_ALIVE_MS;
      const wake = Math.min(next.due_ms, keepAlive);
      // A frame that never falls due waits for the client to leave.
      if (wake < Number.POSITIVE_INFINITY) timer.set(wake);
    };

    /** It runs in timers and events, where nobody catches. */
    const step = (): void => {
      try {
        writeDue();
      } catch (error) {
        ended = true;
        timer.cancel();
        raw.destroy();
        reject(error);
      }
    };

    const writeDue = (): void => {
      while (!ended) {
        const { text, after } = gatherDue();
        if (after === 'finished') {
          const before = hooks.beforeEnd();
          if (before === null) finish(text);
          else before.then(() => finish(text));
          return;
        }
        const writable = text === '' || sink.write(text);
        if (after === 'more' && writable) continue;
        if (after === 'wait' && writable) schedule();
        else if (after === 'wait' || after === 'more') sink.onceDrained(resume);
        else {
          sink.cut(after);
          end('cut');
        }
        return;
      }
    };

    const finish = (text: string): void => {
      if (!ended) sink.end(text, () => end('finished'));
    };

    const resume = (): void => {
      writableSince = clock.monoMs();
      step();
    };

    /** What is due by now as one write: each write is a system call. */
    const gatherDue = (): { text: string; after: 'wait' | 'more' | 'finished' | CutManner } => {
      const now = clock.monoMs();
      let text = '';
      for (; next !== undefined; next = frames.next().value) {
        if (text.length >= FULL_WRITE) return { text, after: 'more' };
        if (next.due_ms > now) {
          if (next.keepAlive === false || now - lastWrite < KEEP_ALIVE_MS) return { text, after: 'wait' };
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

    const timer = wheel.timer(step);
    raw.once('close', () => end('client_left'));
    // A write that meets a destroyed socket: the client left a moment before its close is seen.
    raw.on('error', () => end('client_left'));
    schedule();
  });
}
