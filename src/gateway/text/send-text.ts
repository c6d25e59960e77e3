import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { SeededRandom } from '../../core/seeded-random.ts';
import type { StreamFrame } from '../formats/stream-player.ts';
import type { StreamSink } from '../formats/stream-sink.ts';
import type { StreamEvents } from '../formats/text-format.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import type { StreamHead } from '../hooks/stream-hooks.ts';
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

/**
 * Sends a JSON body with the headers set so far, past the framework's own way and its hooks, which a reply without
 * faults has no use for: plain replies are the load that this gateway is to stand most of.
 */
export function sendWhole(reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body);
  const headers: OutgoingHttpHeader[] = ['content-type', 'application/json; charset=utf-8'];
  headers.push('content-length', Buffer.byteLength(text));
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers.push(name, value);
  }
  const { raw } = reply.hijack();
  raw.writeHead(200, headers);
  raw.end(text);
  return reply;
}

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
