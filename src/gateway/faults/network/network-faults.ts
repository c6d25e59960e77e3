import type { SeededRandom } from '../../../core/seeded-random.ts';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';
import { LINE_FORMS, netComments, TERMINATORS } from './line-forms.ts';
import { netGzipStream } from './net-gzip-stream.ts';
import { netCoalesce, netHalfEvent, netNoFlush, netSlice, netSplitUtf8 } from './sliced-events.ts';
import { netDrip, netSlowClose, netStall, netTtft } from './slow-streams.ts';
import { netEofClean, netFinMid, netResetMid } from './stream-cuts.ts';

const GARBAGE = { least: 16, most: 64 };

/** Data that is no JSON, in a stream that goes on after it. */
const BROKEN_EVENTS: readonly FaultDefinition[] = [
  broken('net.trunc_json', 'Cuts the JSON of one event short; the stream goes on.', (frame) => {
    const text = frame.text.replace(/^data: (.+)$/m, (_line, data: string) => `data: ${firstHalf(data)}`);
    return [{ ...frame, text }];
  }),
  broken('net.garbage_chunk', 'Puts an event of random bytes between two events.', (frame, random) => [
    {
      ...frame,
      text: frame.text.replace(/^data: .+$/m, () => `data: ${garbage(random)}`),
      hasText: false,
      last: false,
      event: false,
    },
    frame,
  ]),
];

/** Faults of connections and of bytes on the wire. */
export const NETWORK_FAULTS: readonly FaultDefinition[] = [
  netEofClean,
  netFinMid,
  ...BROKEN_EVENTS,
  ...LINE_FORMS,
  netCoalesce,
  netComments,
  netDrip,
  netGzipStream,
  netHalfEvent,
  netNoFlush,
  netResetMid,
  netSlice,
  netSlowClose,
  netSplitUtf8,
  netStall,
  netTtft,
  ...TERMINATORS,
];

/** `breaks`: what stands in the place of one event. */
function broken(
  id: string,
  summary: string,
  breaks: (frame: StreamFrame, random: SeededRandom) => readonly StreamFrame[],
): FaultDefinition {
  return defineFault({
    id,
    summary,
    shape: { after_events: afterEvents },
    applies: (call) => call.stream,
    arm: ({ after_events }, { fire, random }) => ({
      *frames(frames) {
        let index = 0;
        for (const frame of frames) {
          if (index === after_events) {
            yield* breaks(frame, random);
            fire();
          } else yield frame;
          index += 1;
        }
      },
    }),
  });
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** Characters of every kind but the line ends that would make lines of it. */
function garbage(random: SeededRandom): string {
  const length = GARBAGE.least + random.below(GARBAGE.most - GARBAGE.least);
  const codes = Array.from({ length }, () => 0x20 + random.below(0x60));
  return `}${String.fromCharCode(...codes)}\u0000\u0001{`;
}
