import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault, type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';
import { textCall } from '../hit.ts';
import { afterEvents } from '../network/after-events.ts';
import {
  errorEvent,
  failedResponse,
  failing,
  failingAfter,
  semDuplicateIds,
  semEmptyOutput,
  semResponsesFailed,
  startedResponse,
} from './failed-texts.ts';
import { MEDIA_FAULTS } from './media-faults.ts';
import { TASK_FAULTS } from './task-faults.ts';
import { eventJson, eventText, fieldOf, type Json, renumbered, withJson } from './text-event.ts';
import { REPLY_TOLD_WRONG } from './text-told-wrong.ts';
import { semUsageMissing, USAGE_FORMS, USAGE_TOLD_WRONG } from './text-usage-forms.ts';

/** The stream says that it has failed, and then goes on to its ordinary end. */
const semFailedThenText = defineFault({
  id: 'sem.failed_then_text',
  summary: 'Sends an event of failure in the middle of a stream, which then goes on to its proper end.',
  shape: { after_events: afterEvents },
  applies: (call) => textCall(call) && call.stream,
  arm({ after_events }, { fire, requestId, subject }) {
    const failureText = (started: Json): string =>
      subject.kind === 'responses'
        ? eventText(true, {
            type: 'response.failed',
            response: failedResponse(started, requestId),
            sequence_number: 0,
          })
        : errorEvent(subject.kind, requestId);
    function* failingOnce(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
      let index = 0;
      let started: Json = {};
      for (const frame of frames) {
        started = startedResponse(frame) ?? started;
        if (index === after_events) {
          yield { ...frame, text: failureText(started), hasText: false, last: false };
          fire();
        }
        index += 1;
        yield frame;
      }
    }
    return { frames: (frames) => renumbered(failingOnce(frames)) };
  },
});

/** The outcome `incomplete` of the responses format, for a reply that came to its own end. */
const semResponsesIncomplete = defineFault({
  id: 'sem.responses_incomplete',
  summary: 'Calls a whole response incomplete, with a reason; it is charged as whole.',
  shape: {
    reason: z
      .enum(['max_output_tokens', 'content_filter'])
      .default('content_filter')
      .describe('As `incomplete_details` gives it.'),
  },
  applies: ({ kind }) => kind === 'responses',
  arm({ reason }, { fire }) {
    const withReason = (response: Json): Record<string, unknown> | null => {
      if (response['status'] !== 'incomplete') return null;
      fire();
      return { ...response, incomplete_details: { reason } };
    };
    return {
      reply: (reply) => ({ ...reply, finish: 'length' }),
      json: withReason,
      *frames(frames) {
        for (const frame of frames) {
          const value = eventJson(frame);
          const held = value === null ? null : fieldOf(value, 'response');
          const response = held === null ? null : withReason(held);
          yield response === null ? frame : withJson(frame, { ...value, response });
        }
      },
    };
  },
});

const MOST = 1_000_000;

/** No event is missing, only numbers are. */
const semSequenceGap = defineFault({
  id: 'sem.sequence_gap',
  summary: 'Leaves numbers out of the sequence of a responses stream after some events.',
  shape: {
    after_events: afterEvents,
    missing: z.int().min(1).max(MOST).default(1).describe('Numbers left out.'),
  },
  applies: ({ kind, stream }) => kind === 'responses' && stream,
  arm: ({ after_events, missing }, { fire }) => ({
    *frames(frames) {
      let index = 0;
      for (const frame of frames) {
        const value = eventJson(frame);
        const number = value?.['sequence_number'];
        if (index < after_events || typeof number !== 'number') yield frame;
        else {
          yield withJson(frame, { ...value, sequence_number: number + missing });
          fire();
        }
        index += 1;
      }
    },
  }),
});

const OTHER_TEXT = ' other';

/** A second choice that nobody asked for, event by event between those of the first. */
const semInterleavedChoices = plainFault({
  id: 'sem.interleaved_choices',
  summary: 'Mixes events of a second choice, index 1, into a chat stream of one choice.',
  applies: ({ kind, stream }) => kind === 'chat' && stream,
  arm: ({ fire }) => ({
    *frames(frames) {
      for (const frame of frames) {
        yield frame;
        const value = frame.hasText ? eventJson(frame) : null;
        if (value === null) continue;
        yield { ...withJson(frame, ofSecondChoice(value)), hasText: false };
        fire();
      }
    },
  }),
});

function ofSecondChoice(chunk: Json): Json {
  const choice = { index: 1, delta: { content: OTHER_TEXT }, logprobs: null, finish_reason: null };
  return { ...chunk, choices: [choice] };
}

/** HTTP status 200 was sent long before: only the event tells of the error. */
const semErrorInStream = defineFault({
  id: 'sem.error_in_stream',
  summary: 'Ends a stream with an error event of its format after some events.',
  charge: 'varies',
  shape: failing,
  applies: (call) => textCall(call) && call.stream,
  arm({ after_events, charged }, { fire, requestId, subject }) {
    let failed = false;
    const failure = {
      text: () => errorEvent(subject.kind, requestId),
      failed: () => {
        failed = true;
      },
      written: () => fire(),
    };
    return {
      frames: (frames) => renumbered(failingAfter(frames, after_events, failure)),
      refunds: () => failed && !charged,
    };
  },
});

/** Text answers that say something wrong. */
const TEXT_FAULTS: readonly FaultDefinition[] = [
  semEmptyOutput,
  ...REPLY_TOLD_WRONG,
  semUsageMissing,
  ...USAGE_TOLD_WRONG,
  ...USAGE_FORMS,
  semFailedThenText,
  semSequenceGap,
  semInterleavedChoices,
  semErrorInStream,
  semResponsesFailed,
  semResponsesIncomplete,
  semDuplicateIds,
];

/** Well-formed answers that say something wrong, and tasks that go astray. */
export const SEMANTIC_FAULTS: readonly FaultDefinition[] = [...TASK_FAULTS, ...MEDIA_FAULTS, ...TEXT_FAULTS];
