import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { eventText, type Json, renumbered } from './text-event.ts';
import { failing, failingAfter } from './text-failing.ts';
import { failedResponse, startedResponse } from './text-failure-event.ts';

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
      json(value) {
        fire();
        return { ...failedResponse(value, requestId), ...(charged ? {} : { output: [], usage: null }) };
      },
      frames: (frames) => renumbered(failingAfter(noticed(frames), after_events, failure)),
      refunds: () => failed && !charged,
    };
  },
});
