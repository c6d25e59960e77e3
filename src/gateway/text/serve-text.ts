import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SeededRandom } from '../../core/seeded-random.ts';
import { textCharge, textReserve } from '../charging/charge-amount.ts';
import type { CallResult } from '../charging/charge-record.ts';
import { PaidCall } from '../charging/paid-call.ts';
import type { TokenUsage } from '../charging/token-usage.ts';
import type { Gateway } from '../gateway.ts';
import { callRandom, callSeed } from '../latency/call-random.ts';
import { drawLogNormal } from '../latency/log-normal.ts';
import type { TextModel } from '../models/model.ts';
import { servingModel } from '../models/serving-model.ts';
import { invalidRequest } from '../server/api-error.ts';
import { requestFaults } from '../server/request-faults-of.ts';
import { requestIdHeaders } from '../server/request-id.ts';
import { requestKey } from '../server/request-key.ts';
import { waitForReply } from '../server/wait-for-reply.ts';
import { countPrompt, countTokens } from '../tokens/count-tokens.ts';
import { type ReplyText, writeReply } from './reply-text.ts';
import { playStream, type StreamFrame } from './stream-player.ts';
import type { StreamEvents, TextFormat, TextReply, TextRequest } from './text-format.ts';

/** What is held for a request that sets no limit, and its limit. */
export const DEFAULT_MAX_TOKENS = 4096;

/** Serves one text call of any format, plain or streamed. */
export async function serveText(
  gateway: Gateway,
  format: TextFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = requestKey(request);
  const asked = format.read(request.body);
  const model = servingModel(key, asked.model, 'text');
  const counted = countPrompt(model.tokenizer, asked.messages);
  const limit = outputLimit(asked, model, counted.total);
  const prompt = asked.messages.map((message) => message.text).join('\n');
  const { endpoint, kind } = format;
  const call = new PaidCall(gateway, {
    requestId: request.id,
    key,
    endpoint,
    kind,
    model: model.id,
    prompt,
    reserve: textReserve(model, counted.total, limit),
    faults: requestFaults(request),
  });
  const cache = gateway.promptCache.look(
    key.fingerprint,
    model,
    asked.messages,
    counted.prefix,
    call.receivedMono,
  );
  const written = writeReply(model, limit, ...callSeed(gateway.seed, endpoint, model.id, prompt));
  const usage: TokenUsage = { input: counted.total, output: written.tokens, ...cache };
  const work: TextWork = {
    gateway,
    call,
    model,
    written,
    usage,
    random: callRandom(gateway.seed, endpoint, model.id, prompt),
  };
  const answer: TextReply = {
    requestId: request.id,
    created: call.createdAt,
    model: model.id,
    text: written.text,
    pieces: written.pieces,
    finish: written.finish,
    usage,
    includeUsage: asked.includeUsage,
  };
  if (!asked.stream) return replyWhole(work, format.whole(answer), reply);
  await replyStream(work, format.events(answer), reply);
  return reply;
}

interface TextWork {
  readonly gateway: Gateway;
  readonly call: PaidCall;
  readonly model: TextModel;
  readonly written: ReplyText;
  readonly usage: TokenUsage;
  readonly random: SeededRandom;
}

async function replyWhole(work: TextWork, body: object, reply: FastifyReply): Promise<FastifyReply> {
  const { gateway, call, random } = work;
  const { ttft, per_token } = gateway.latency;
  let due = call.receivedMono + drawLogNormal(random, ttft);
  for (let token = 1; token < work.usage.output; token += 1) due += drawLogNormal(random, per_token);
  const lateness = await waitForReply(reply.raw, gateway.wheel, due);
  if (lateness === null) {
    settleWritten(work, '', 'cancelled');
    call.end();
    reply.hijack();
    return reply;
  }
  call.late(lateness);
  settleWhole(work);
  call.end();
  return reply.send(body);
}

async function replyStream(work: TextWork, events: StreamEvents, reply: FastifyReply): Promise<void> {
  const { gateway, call } = work;
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...requestIdHeaders(call.requestId),
  });
  raw.flushHeaders();
  let pieces = 0;
  let settled = false;
  const end = await playStream({ raw, clock: gateway.clock, wheel: gateway.wheel }, frames(work, events), {
    cutNow: () => call.cutNow(),
    beforeLast: () => {
      settleWhole(work);
      settled = true;
    },
    wrote: (frame, lateness_ms) => {
      if (frame.hasText) pieces += 1;
      call.wrote(frame.hasText, lateness_ms);
    },
  });
  if (!settled) {
    const result = pieces > 0 ? 'incomplete' : end === 'cut' ? 'failed' : 'cancelled';
    settleWritten(work, work.written.pieces.slice(0, pieces).join(''), result);
  }
  call.end();
}

function* frames(work: TextWork, events: StreamEvents): Generator<StreamFrame, undefined> {
  const { ttft, per_token } = work.gateway.latency;
  const wait = drawLogNormal(work.random, ttft);
  let due_ms = work.call.receivedMono + wait / 2;
  for (const text of events.opening) yield { text, due_ms, hasText: false, last: false };
  due_ms += wait / 2;
  for (const [index, piece] of work.written.pieces.entries()) {
    if (index > 0) due_ms += drawLogNormal(work.random, per_token);
    yield { text: events.delta(piece, index), due_ms, hasText: true, last: false };
  }
  for (const [index, text] of events.closing.entries()) {
    yield { text, due_ms, hasText: false, last: index === events.closing.length - 1 };
  }
  return undefined;
}

function settleWhole({ call, model, usage }: TextWork): void {
  call.settle({ amount: textCharge(model, usage), usage, result: 'completed', estimated: false });
}

/** A call that did not reach its end is charged by the text that was written; without text, nothing is charged. */
function settleWritten({ call, model, usage }: TextWork, text: string, result: CallResult): void {
  if (text === '') {
    call.refund(result);
    return;
  }
  const written: TokenUsage = { ...usage, output: countTokens(model.tokenizer, text) };
  call.settle({ amount: textCharge(model, written), usage: written, result, estimated: true });
}

/** Output tokens that the call may have; throws ApiError 400 for a limit or a prompt that the model cannot take. */
function outputLimit(asked: TextRequest, model: TextModel, promptTokens: number): number {
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
      `The prompt of ${promptTokens} tokens and its output do not fit into the model's context of ${context_window} tokens`,
      'context_length_exceeded',
    );
  }
  return limit;
}
