import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../account/account.ts';
import { ServedCall } from '../calls/paid-call.ts';
import { CallRandom } from '../chance/call-random.ts';
import { textReserve } from '../charging/charge-amount.ts';
import type { TextExtras } from '../charging/text-extras.ts';
import type { TokenUsage } from '../events/charge-record.ts';
import { playStream, type StreamEnd } from '../formats/stream-player.ts';
import { InventedEnd, ResponseSink, type StreamSink } from '../formats/stream-sink.ts';
import type { TextFormat, TextReply, TextRequest } from '../formats/text-format.ts';
import { RequestFaults } from '../hooks/request-faults.ts';
import { waitForReply } from '../http/wait-for-reply.ts';
import { drawTime, meanTime } from '../latency/distribution.ts';
import type { ServingPlace } from '../latency/gateway-latency.ts';
import { servedFrom } from '../latency/served-from.ts';
import type { TextModel } from '../models/model.ts';
import type { Gateway } from '../parts/gateway.ts';
import { chargeRule } from '../readings/charge-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { changesAnswers } from '../requests/apply-readings.ts';
import { callNote } from '../requests/call-note.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { servingModel } from '../requests/serving-model.ts';
import { answerId, successHeaders, tellCall } from '../requests/told-request-id.ts';
import { countPrompt, countTokens, type PromptCount } from '../tokens/count-tokens.ts';
import { LONG_CACHE_LIFE_MS } from '../tokens/prompt-cache.ts';
import { writeReply } from './reply-text.ts';
import { givenBack, settleLost, settleWhole, settleWritten } from './settle-text.ts';
import {
  mostExtras,
  outputLimit,
  pacedFrames,
  type StreamWay,
  sendWhole,
  textService,
  withFaults,
} from './text-service.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/** Serves one text call of any format, plain or streamed. */
export async function serveText(
  gateway: Gateway,
  format: TextFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = requestKey(request);
  const asked = format.read(request.body);
  const model = gateway.prices.priced(servingModel(key, asked.model, 'text'));
  const counted = countPrompt(model.tokenizer, asked.messages, model.context_window);
  const limit = outputLimit(asked, model, counted.total);
  const place = gateway.latency.take();
  try {
    const work = accept(gateway, format, request, { key, asked, model, counted, limit, place });
    const { receivedMono } = work.call;
    const from =
      place.ready === null ? receivedMono : await servedFrom(place, reply.raw, receivedMono, gateway.clock);
    if (from === null) return leave(work, reply);
    if (asked.stream) await replyStream(work, format, reply, from);
    else await replyWhole(work, format, reply, from);
    return reply;
  } finally {
    place.leave();
  }
}

interface ReadRequest {
  readonly key: ApiKey;
  readonly asked: TextRequest;
  readonly model: TextModel;
  readonly counted: PromptCount;
  readonly limit: number;
  readonly place: ServingPlace;
}

/** Reserves, and writes what the reply will be. */
function accept(
  gateway: Gateway,
  { endpoint, kind }: TextFormat,
  request: FastifyRequest,
  { key, asked, model, counted, limit, place }: ReadRequest,
) {
  const prompt = promptOf(asked);
  const random = new CallRandom(gateway.seed, endpoint, model.id, prompt);
  const draws = random.reply();
  const service = textService(model, asked, limit, draws);
  const extras: TextExtras =
    asked.longCacheLife === true ? { ...service.extras, longWrites: true } : service.extras;
  const rule = chargeRule(gateway, key, model);
  const call = new ServedCall(gateway, {
    requestId: request.id,
    key,
    endpoint,
    kind,
    model: model.id,
    prompt,
    reserve:
      gateway.dialect?.textReserve?.({ key, model, input: counted.total, most: limit }) ??
      textReserve(model, counted.total, limit, rule, mostExtras(service)),
    faults: requestFaults(request),
    rule,
    work: { kind: 'text', model, extras },
    ...callNote(gateway, request),
  });
  const { faults } = call;
  const owed = gateway.promptCache.look(
    key.fingerprint,
    model,
    asked.messages,
    counted.prefix,
    call.receivedMono,
    asked.longCacheLife === true ? LONG_CACHE_LIFE_MS : undefined,
  );
  const cache = faults.through(owed, (hooks, use) => hooks.cache?.(use, model));
  const written = writeReply(model, limit - extras.reasoning, draws);
  const usage: TokenUsage = { input: counted.total, output: extras.reasoning + written.tokens, ...cache };
  const answer: TextReply = {
    requestId: answerId(request.id, gateway),
    created: call.createdAt,
    model: model.id,
    get text() {
      return written.text;
    },
    get pieces() {
      return written.pieces;
    },
    finish: written.finish,
    usage,
    reasoning: service.reasoning,
    reasoningBeside: gateway.readings.told_reasoning === 'beside',
    serviceTier: service.serviceTier,
    searches: service.searches,
    includeUsage: tellsUsage(gateway.readings, asked),
    usagePlace: gateway.readings.stream_usage_place,
  };
  // What the client gets: what was written, unless a fault says otherwise.
  const told =
    faults === RequestFaults.NONE
      ? answer
      : faults.through(answer, (hooks, current) =>
          hooks.reply?.(current, (text) => countTokens(model.tokenizer, text)),
        );
  const { stream } = asked;
  const cut = { kind, prompt, stream };
  return { gateway, call, model, rule, extras, written, told, usage, random: random.times(), place, ...cut };
}

function tellsUsage({ stream_usage }: Readings, { includeUsage }: TextRequest): boolean {
  return stream_usage === 'asked' ? includeUsage : stream_usage === 'always';
}

function promptOf({ messages }: TextRequest): string {
  const [only] = messages;
  return messages.length === 1 ? (only?.text ?? '') : messages.map(({ text }) => text).join('\n');
}

type TextWork = ReturnType<typeof accept>;

/** The client left before anything was written. */
function leave(work: TextWork, reply: FastifyReply): FastifyReply {
  settleWritten(work, '', 'cancelled');
  work.call.end();
  return reply.hijack();
}

async function replyWhole(
  work: TextWork,
  format: TextFormat,
  reply: FastifyReply,
  from_ms: number,
): Promise<FastifyReply> {
  const { call, gateway } = work;
  const wait_ms = wholeTime(work);
  if (wait_ms > 0) {
    const lateness = await waitForReply(reply.raw, gateway.wheel, from_ms + wait_ms);
    if (lateness === null) return leave(work, reply);
    call.late(lateness);
    gateway.lateness.record(lateness);
  }
  const lost = settleLost(work);
  if (lost === null) settleWhole(work);
  call.end();
  await gateway.journal.written();
  if (lost !== null) throw lost;
  const body = format.whole(work.told);
  tellCall(gateway, call, reply);
  const plain = call.faults === RequestFaults.NONE && !changesAnswers(gateway.readings);
  return plain ? sendWhole(reply, body) : reply.send(body);
}

/** TTFT, and the mean ITL of each further token: a draw for each would say the same at 80 times the price. */
function wholeTime({ gateway, usage, random, place }: TextWork): number {
  const { ttft, itl } = gateway.latency.model;
  return (drawTime(random, ttft) + Math.max(0, usage.output - 1) * meanTime(itl)) * place.load;
}

async function replyStream(
  work: TextWork,
  format: TextFormat,
  reply: FastifyReply,
  from_ms: number,
): Promise<void> {
  const { gateway, call } = work;
  const { clock, wheel } = gateway;
  const { raw } = reply.hijack();
  let pieces = 0;
  const right: StreamWay = {
    head: {
      headers: { ...STREAM_HEADERS, ...successHeaders(call, gateway) },
      flush: true,
    },
    sink: inventsEnd(work, format, new ResponseSink(raw, { clock, wheel }), () => pieces),
    frames: pacedFrames({
      events: format.events(work.told),
      pieces: call.faults === RequestFaults.NONE ? work.written.each() : work.told.pieces,
      random: work.random,
      place: work.place,
      latency: gateway.latency.model,
      from_ms,
    }),
  };
  const way = withFaults(right, call.faults, from_ms);
  raw.writeHead(200, way.head.headers);
  if (way.head.flush) raw.flushHeaders();
  let settled = false;
  const settleCut = (how: StreamEnd): void => {
    if (settled) return;
    settled = true;
    const text = givenBack(call) ? '' : work.written.pieces.slice(0, pieces).join('');
    const without = how === 'client_left' ? 'cancelled' : 'failed';
    settleWritten(work, text, text === '' ? without : 'incomplete');
  };
  const end = await playStream({ raw, sink: way.sink, clock, wheel }, way.frames, {
    cutNow: call.faults === RequestFaults.NONE ? neverCut : () => call.cutNow(),
    beforeLast: () => {
      settleWhole(work);
      settled = true;
    },
    wrote: (frame, lateness_ms) => {
      if (frame.hasText) pieces += 1;
      if (frame.event === false) return;
      call.wrote(frame.hasText, lateness_ms);
      gateway.lateness.record(lateness_ms);
    },
    beforeEnd: () => {
      // Every event is written, and none of them was the terminator.
      settleCut('finished');
      call.end();
      return gateway.journal.written();
    },
  }).catch((error: unknown) => {
    // Its charge stays as it is; it is no open call any more.
    call.end();
    throw error;
  });
  settleCut(end);
  call.end();
}

/** The sink with the ending that a dialect invents where a provider ends a stream too early. */
function inventsEnd(
  { gateway: { dialect }, model, kind, prompt, usage, told, written }: TextWork,
  format: TextFormat,
  sink: StreamSink,
  pieces: () => number,
): StreamSink {
  if (dialect?.cutEnding === undefined) return sink;
  const ending = (): string => {
    const soFar = written.pieces.slice(0, pieces());
    const text = soFar.join('');
    const counted = dialect.cutUsage?.({ kind, model, prompt, usage, text }) ?? usage;
    return (dialect.cutEnding?.(format, { ...told, text, pieces: soFar, usage: counted }) ?? []).join('');
  };
  return new InventedEnd(sink, ending);
}

function neverCut(): null {
  return null;
}
