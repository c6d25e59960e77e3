import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';

/** Streams that end otherwise than with one terminator event; what they cost is what the whole reply costs. */
export const TERMINATORS: readonly FaultDefinition[] = [
  ending(
    'net.no_terminator',
    'Ends a whole stream properly as HTTP, only its terminator event is left out.',
    (last) => [
      // The reply is complete all the same, and settled as such.
      { ...last, text: '', event: false },
    ],
  ),
  ending('net.dup_terminator', 'Sends the terminator event twice.', (last) => [
    last,
    { ...last, last: false },
  ]),
  ending(
    'net.after_terminator',
    'Sends a further event of text after the terminator event.',
    (last, text) => [last, { ...(text ?? last), due_ms: last.due_ms, hasText: false, last: false }],
  ),
];

/** `end`: the frames in the place of the last one; `text`: the last event of text, or null. */
function ending(
  id: string,
  summary: string,
  end: (last: StreamFrame, text: StreamFrame | null) => readonly StreamFrame[],
): FaultDefinition {
  return defineFault({
    id,
    summary,
    charge: 'charged',
    shape: {},
    applies: (call) => call.stream,
    arm: (_parameters, { fire }) => ({
      *frames(frames) {
        let text: StreamFrame | null = null;
        for (const frame of frames) {
          if (frame.hasText) text = frame;
          if (!frame.last) yield frame;
          else {
            yield* end(frame, text);
            fire();
          }
        }
      },
    }),
  });
}
