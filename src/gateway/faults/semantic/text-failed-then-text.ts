import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from '../network/after-events.ts';
import { isTextCall } from './text-call.ts';
import { eventText, type Json, renumbered } from './text-event.ts';
import { errorEvent, failedResponse, startedResponse } from './text-failure-event.ts';

/** The stream says that it has failed, and then goes on to its ordinary end. */
export const semFailedThenText = defineFault({
  id: 'sem.failed_then_text',
  summary: 'Sends an event of failure in the middle of a stream, which then goes on to its proper end.',
  charge: 'charged',
  shape: { after_events: afterEvents },
  applies: (call) => isTextCall(call) && call.stream,
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
