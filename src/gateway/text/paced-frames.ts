import type { SeededRandom } from '../../core/seeded-random.ts';
import type { StreamFrame } from '../formats/stream-player.ts';
import type { StreamEvents } from '../formats/text-format.ts';
import { drawTime } from '../latency/distribution.ts';
import type { ServingPlace } from '../latency/gateway-latency.ts';
import type { LatencyModel } from '../latency/latency-model.ts';

export interface PacedReply {
  readonly events: StreamEvents;
  readonly pieces: Iterable<string>;
  readonly random: SeededRandom;
  readonly place: ServingPlace;
  /** As it is when the stream starts: a plan that comes meanwhile is for later calls. */
  readonly latency: LatencyModel;
  /** Moment of the monotonic clock from which the call is served. */
  readonly from_ms: number;
}

/** The events of a reply with their due times, drawn one after the other. */
export function* pacedFrames({
  events,
  pieces,
  random,
  place,
  latency: { ttft, itl },
  from_ms,
}: PacedReply): Generator<StreamFrame, undefined> {
  const wait = drawTime(random, ttft) * place.load;
  let due_ms = from_ms + wait / 2;
  for (const text of events.opening) yield { text, due_ms, hasText: false, last: false };
  due_ms += wait / 2;
  let index = 0;
  for (const piece of pieces) {
    if (index > 0) due_ms += drawTime(random, itl) * place.load;
    yield { text: events.delta(piece, index), due_ms, hasText: true, last: false };
    index += 1;
  }
  const closing = events.closing();
  for (const [index, text] of closing.entries()) {
    yield { text, due_ms, hasText: false, last: index === closing.length - 1 };
  }
  return undefined;
}
