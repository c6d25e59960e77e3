import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { SeededRandom } from '../../core/seeded-random.ts';
import { NO_EXTRAS, type TextExtras } from '../charging/text-extras.ts';
import type { StreamFrame } from '../formats/stream-player.ts';
import type { StreamSink } from '../formats/stream-sink.ts';
import type { StreamEvents, TextRequest } from '../formats/text-format.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import type { StreamHead } from '../hooks/stream-hooks.ts';
import { invalidRequest } from '../http/api-error.ts';
import { drawLogNormal, drawTime } from '../latency/distribution.ts';
import type { ServingPlace } from '../latency/gateway-latency.ts';
import type { LatencyModel } from '../latency/latency-model.ts';
import type { TextModel } from '../models/model.ts';
import { SENTENCES } from './sentences.ts';

/** Searches of one call at most. */
const MOST_SEARCHES = 3;

const REASONING = { median: 60, spread: 0.5 };
const DEFAULT_TIER = 'default';

/** How a call is served beyond its text, and what of that is charged. */
export interface TextService {
  readonly extras: TextExtras;
  /** As the answer tells them: null where the model has no such thing. */
  readonly reasoning: number | null;
  readonly serviceTier: string | null;
  readonly searches: readonly string[];
}

const PLAIN_SERVICE: TextService = { extras: NO_EXTRAS, reasoning: null, serviceTier: null, searches: [] };

/** Draws only where the model has something to draw for. Reasoning takes half of `limit`, the output limit, at most. */
export function textService(
  { reasons, service_tiers, tools }: TextModel,
  { serviceTier: asked, mayUseTools }: TextRequest,
  limit: number,
  random: SeededRandom,
): TextService {
  if (reasons === undefined && service_tiers === undefined && tools === undefined) return PLAIN_SERVICE;
  const drawn = reasons === undefined ? 0 : drawLogNormal(random, REASONING.median, REASONING.spread);
  const reasoning = Math.min(Math.round(drawn), Math.floor(limit / 2));
  const tier = service_tiers?.find(({ service_tier }) => service_tier === asked)?.service_tier ?? null;
  const searches = tools === undefined || !mayUseTools ? [] : drawSearches(random);
  return {
    extras: { serviceTier: tier, reasoning, toolCalls: searches.length },
    reasoning: reasons === undefined ? null : reasoning,
    serviceTier: service_tiers === undefined ? null : (tier ?? DEFAULT_TIER),
    searches,
  };
}

/** What a call may be charged at most beside its tokens, so far as its request tells. */
export function mostExtras({ extras }: TextService): TextExtras {
  return { ...extras, toolCalls: extras.toolCalls === 0 ? 0 : MOST_SEARCHES };
}

function drawSearches(random: SeededRandom): readonly string[] {
  return Array.from({ length: 1 + random.below(MOST_SEARCHES) }, () => {
    const [, ...words] = SENTENCES[random.below(SENTENCES.length)]?.pieces ?? [];
    return words.slice(0, 3).join('').trim();
  });
}

/** What is held for a request that sets no limit, and its limit. */
const DEFAULT_MAX_TOKENS = 4096;

/** Output tokens that the call may have; throws ApiError 400 for a limit or a prompt that the model cannot take. */
export function outputLimit(asked: TextRequest, model: TextModel, promptTokens: number): number {
  const { context_window, max_output_tokens } = model;
  const room = context_window - promptTokens;
  const limit = asked.maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, max_output_tokens, room);
  if (limit > max_output_tokens) {
    throw invalidRequest(
      `The limit of ${limit} output tokens is above the ${max_output_tokens} that the model supports`,
    );
  }
  if (limit > room || limit < 1) {
    throw invalidRequest(
      `The prompt of ${room < 0 ? `more than ${context_window}` : promptTokens} tokens and its output do not fit into the model's context of ${context_window} tokens`,
      'context_length_exceeded',
    );
  }
  return limit;
}

interface PacedReply {
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
