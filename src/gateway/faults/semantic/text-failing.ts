import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { afterEvents } from '../network/after-events.ts';

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
