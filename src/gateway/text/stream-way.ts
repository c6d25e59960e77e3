import type { StreamFrame } from '../formats/stream-player.ts';
import type { StreamSink } from '../formats/stream-sink.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import type { StreamHead } from '../hooks/stream-hooks.ts';

/** A stream from its events to the client. */
export interface StreamWay {
  readonly head: StreamHead;
  readonly sink: StreamSink;
  readonly frames: Generator<StreamFrame, undefined>;
}

/** The way with what the faults of its call put before, into and around it; without faults it is the same. */
export function withFaults(way: StreamWay, faults: RequestFaults, start_ms: number): StreamWay {
  if (faults === RequestFaults.NONE) return way;
  const head = faults.through(way.head, (hooks, current) => hooks.head?.(current));
  const sink = faults.through(way.sink, (hooks, current) => hooks.sink?.(current));
  const frames = faults.through<Iterable<StreamFrame>>(way.frames, (hooks, current) =>
    hooks.frames?.(current, start_ms),
  );
  return { head, sink, frames: each(frames) };
}

function* each(frames: Iterable<StreamFrame>): Generator<StreamFrame, undefined> {
  yield* frames;
  return undefined;
}
