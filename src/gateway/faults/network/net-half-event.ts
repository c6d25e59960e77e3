import { defineFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';
import { StreamCut } from './stream-cut.ts';

/** The response ends properly as HTTP in the middle of an event. */
export const netHalfEvent = defineFault({
  id: 'net.half_event',
  summary: 'Ends the stream properly as HTTP in the middle of an event.',
  charge: 'charged',
  shape: { after_events: afterEvents },
  applies: (call) => call.stream,
  arm({ after_events }, { fire }) {
    const cut = new StreamCut('eof', fire);
    return {
      *frames(frames) {
        let index = 0;
        for (const frame of frames) {
          if (index === after_events) {
            yield* cut.inside(frame, frame.text.slice(0, Math.floor(frame.text.length / 2)));
            return;
          }
          index += 1;
          yield frame;
        }
      },
      cutBefore: () => cut.cutBefore(),
    };
  },
});
