import * as z from 'zod';
import type { PicoUsd } from '../../../core/amount.ts';
import type { PaidKind } from '../../../core/call-kind.ts';
import { NO_TOKENS } from '../../events/charge-record.ts';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault, firing } from '../../hooks/fault-definition.ts';
import { requestIdHeaders } from '../../http/request-id.ts';
import { charged as chargedAt } from '../billing/wrong-record.ts';
import { textCall } from '../hit.ts';
import { afterEvents } from '../network/after-events.ts';
import { eventJson, eventText, fieldOf, type Json, renumbered, withJson } from './text-event.ts';

/** Parameters of a stream that fails after it began. */
export const failing = {
  after_events: afterEvents,
  charged: z
    .boolean()
    .default(true)
    .describe('true: what was written is charged, as an estimate. false: everything is given back.'),
};

/** `frames` up to the given number, then one event of failure, `text`, and nothing; `failed` before it is written. */
export function* failingAfter(
  frames: Iterable<StreamFrame>,
  events: number,
  { text, failed, written }: { text(): string; failed(): void; written(): void },
): Generator<StreamFrame> {
  let index = 0;
  for (const frame of frames) {
    if (index === events) {
      failed();
      yield { ...frame, text: text(), hasText: false, last: false };
      written();
      return;
    }
    index += 1;
    yield frame;
  }
}

const CODE = 'upstream_error';
const MESSAGE = 'The model did not finish this reply';

/** The error of a reply that fails after it began, as interface §7 words them. */
function failure(requestId: string): { readonly message: string; readonly code: string } {
  return { message: `${MESSAGE} (request id: ${requestId})`, code: CODE };
}

/** The error event of each format. */
export function errorEvent(kind: PaidKind | null, requestId: string): string {
  const { message, code } = failure(requestId);
  switch (kind) {
    case 'responses':
      return eventText(true, { type: 'error', code, message, param: null, sequence_number: 0 });
    case 'messages':
      return eventText(true, { type: 'error', error: { type: 'api_error', message } });
    default:
      return eventText(false, { error: { message, type: 'new_api_error', code } });
  }
}

/** A responses object as it is when it has failed. */
export function failedResponse(response: Json, requestId: string): Json {
  return { ...response, status: 'failed', error: failure(requestId) };
}

/** The responses object that a stream began with, or null. */
export function startedResponse(frame: StreamFrame): Json | null {
  const value = eventJson(frame);
  return value?.['type'] === 'response.created' ? fieldOf(value, 'response') : null;
}

/** The outcome `failed` of the responses format, in HTTP status 200. */
export const semResponsesFailed = defineFault({
  id: 'sem.responses_failed',
  summary:
    'Ends a response as failed: a stream by response.failed after some events, a plain answer by its status.',
  charge: 'varies',
  shape: failing,
  applies: ({ kind }) => kind === 'responses',
  arm({ after_events, charged }, { fire, requestId, subject }) {
    let failed = !subject.stream;
    let started: Json = {};
    function* noticed(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
      for (const frame of frames) {
        started = startedResponse(frame) ?? started;
        yield frame;
      }
    }
    const failure = {
      text: () =>
        eventText(true, {
          type: 'response.failed',
          response: failedResponse(started, requestId),
          sequence_number: 0,
        }),
      failed: () => {
        failed = true;
      },
      written: () => fire(),
    };
    return {
      json: firing(fire, (value) => ({
        ...failedResponse(value, requestId),
        ...(charged ? {} : { output: [], usage: null }),
      })),
      frames: (frames) => renumbered(failingAfter(noticed(frames), after_events, failure)),
      refunds: () => failed && !charged,
    };
  },
});

/** The list of each format that holds what was generated. */
const LISTS = ['choices', 'output', 'content'];
/** Events that open and close the parts of a reply. */
const PARTS =
  /^(response\.(output_item|content_part|output_text|web_search_call)|content_block_(start|stop))/;

/** Status 200, a proper end, and nothing in between. */
export const semEmptyOutput = defineFault({
  id: 'sem.empty_output',
  summary: 'Answers a call with status 200, a proper end and no output.',
  charge: 'varies',
  shape: {
    charged: z
      .boolean()
      .default(true)
      .describe('true: it is charged all the same. false: everything is given back.'),
    usage: z
      .enum(['reply', 'prompt'])
      .default('reply')
      .describe('Used by true: the reply that never came is reported and charged, or only the prompt.'),
  },
  applies: textCall,
  arm({ charged, usage: counted }, { fire }) {
    let empty = false;
    let amount: PicoUsd | null = null;
    let less: PicoUsd = 0n;
    return {
      reply(reply) {
        empty = true;
        if (!charged) fire();
        const told = counted === 'reply' ? reply.usage : { ...reply.usage, output: 0 };
        const usage = charged ? told : NO_TOKENS;
        return { ...reply, text: '', pieces: [], finish: 'stop', usage };
      },
      json(value) {
        const list = LISTS.find((name) => Array.isArray(value[name]));
        return list === undefined ? null : { ...value, [list]: [] };
      },
      frames: (frames) => renumbered(withoutParts(frames)),
      refunds: () => empty && !charged,
      settled(charge) {
        amount = charge.amount;
      },
      booked(books) {
        const { record, used } = books;
        if (counted === 'reply' || !empty || record.result !== 'completed') return;
        const usage = { ...used, output: 0 };
        const ofPrompt = books.price(usage);
        if (ofPrompt !== null) less = books.amend({ ...chargedAt(record, ofPrompt), usage });
      },
      ended() {
        if (charged && amount !== null) fire(amount + less);
      },
    };
  },
});

function* withoutParts(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  for (const frame of frames) {
    const value = eventJson(frame);
    if (value !== null && PARTS.test(String(value['type']))) continue;
    const response = value === null ? null : fieldOf(value, 'response');
    yield response === null ? frame : withJson(frame, { ...value, response: { ...response, output: [] } });
  }
}

/** interface §4: a usage read takes no longer id. */
const LONGEST_ID = 64;
const REPEATED = '20000101000000000001repeated';

/** Records keep the id under which the call was accepted: the client cannot find its own. */
export const semDuplicateIds = defineFault({
  id: 'sem.duplicate_ids',
  summary:
    'Gives all calls that it hits the same request id, or one of more than 64 characters, in headers and body.',
  shape: {
    form: z
      .enum(['repeated', 'long'])
      .default('repeated')
      .describe(
        'repeated: one id for all calls that are hit. long: their own, made longer than 64 characters.',
      ),
  },
  applies: textCall,
  arm({ form }, { fire, requestId }) {
    const told = form === 'repeated' ? REPEATED : requestId.padEnd(LONGEST_ID + 1, '0');
    return {
      reply: (reply) => ({ ...reply, requestId: told }),
      head: firing(fire, (head) => ({ ...head, headers: { ...head.headers, ...requestIdHeaders(told) } })),
      replace: firing(fire, ({ status, body }) =>
        status !== 200 ? null : { status, headers: requestIdHeaders(told), body },
      ),
    };
  },
});
