import { defineFault } from '../../hooks/fault-definition.ts';
import { isTextCall } from './text-call.ts';
import { renumbered } from './text-event.ts';
import { failing, failingAfter } from './text-failing.ts';
import { errorEvent } from './text-failure-event.ts';

/** HTTP status 200 was sent long before: only the event tells of the error. */
export const semErrorInStream = defineFault({
  id: 'sem.error_in_stream',
  summary: 'Ends a stream with an error event of its format after some events.',
  charge: 'varies',
  shape: failing,
  applies: (call) => isTextCall(call) && call.stream,
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
