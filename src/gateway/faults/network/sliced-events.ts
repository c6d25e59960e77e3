import type { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import type { TextReply } from '../../formats/text-format.ts';
import { defineFault, firing, plainFault } from '../../hooks/fault-definition.ts';
import { afterEvents } from './after-events.ts';
import { PacedSink } from './paced-sink.ts';
import { StreamCut } from './stream-cuts.ts';

const MAX_BYTES = 65_536;

/** Events arrive in pieces that know nothing of their bounds. */
export const netSlice = defineFault({
  id: 'net.slice',
  summary: 'Sends a stream in slices of 1 to n bytes, of seeded sizes, without a pause.',
  shape: { max_bytes: z.int().min(1).max(MAX_BYTES).default(7).describe('The largest slice.') },
  applies: (call) => call.stream,
  arm: ({ max_bytes }, { fire, random }) => ({
    sink(next) {
      const split = (whole: Buffer): Buffer[] => {
        const parts: Buffer[] = [];
        for (let from = 0; from < whole.length; ) {
          const length = 1 + random.below(max_bytes);
          parts.push(whole.subarray(from, from + length));
          from += length;
        }
        if (parts.length > 1) fire();
        return parts;
      };
      return new PacedSink(next, { split, pause_ms: 0 });
    },
  }),
});

/** Words with letters of two and three bytes. */
const WORDS: readonly string[] = [
  ' más',
  ' für',
  ' été',
  ' día',
  ' né',
  ' días',
  ' año',
  ' após',
  ' também',
  ' 是',
  ' —',
];

/** A character comes in two writes. A word of the reply becomes one that has such a character and as many tokens. */
export const netSplitUtf8 = plainFault({
  id: 'net.split_utf8',
  summary:
    'Puts a word with a letter of several bytes into the reply and cuts the writes inside that letter.',
  applies: (call) => call.stream,
  arm: ({ fire }) => ({
    reply: withMultibyteWord,
    sink(next) {
      const split = (whole: Buffer): Buffer[] => {
        const parts = cutInsideCharacters(whole);
        if (parts.length > 1) fire();
        return parts;
      };
      return new PacedSink(next, { split, pause_ms: 0 });
    },
  }),
});

/** Null where no word fits: the text must keep its tokens, by which it is charged. */
function withMultibyteWord(reply: TextReply, count: (text: string) => number): TextReply | null {
  const wanted = count(reply.text);
  for (let place = reply.pieces.length - 1; place > 0; place -= 1) {
    for (const word of WORDS) {
      const pieces = reply.pieces.with(place, word);
      const text = pieces.join('');
      if (count(text) === wanted && sameTokensBefore(reply, pieces, place, count))
        return { ...reply, pieces, text };
    }
  }
  return null;
}

/** A cut anywhere must find the tokens of the true text too. */
function sameTokensBefore(
  reply: TextReply,
  pieces: readonly string[],
  place: number,
  count: (text: string) => number,
): boolean {
  const upTo = (of: readonly string[]): number => count(of.slice(0, place + 1).join(''));
  return upTo(pieces) === upTo(reply.pieces);
}

/** Every character of several bytes is cut after its first. */
function cutInsideCharacters(whole: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const [place, byte] of whole.entries()) {
    if (byte < 0xc0) continue;
    parts.push(whole.subarray(from, place + 1));
    from = place + 1;
  }
  parts.push(whole.subarray(from));
  return parts;
}

/** The response ends properly as HTTP in the middle of an event. */
export const netHalfEvent = defineFault({
  id: 'net.half_event',
  summary: 'Ends the stream properly as HTTP in the middle of an event.',
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

/** The head of the response comes with its first event, not before. */
export const netNoFlush = plainFault({
  id: 'net.no_flush',
  summary: 'Holds the headers of a stream back until its first event.',
  applies: (call) => call.stream,
  arm: ({ fire }) => ({
    head: firing(fire, (head) => ({ ...head, flush: false })),
  }),
});

const MOST = 10_000;

/** Events wait for the last of their group and come in one write. */
export const netCoalesce = defineFault({
  id: 'net.coalesce',
  summary: 'Holds events back and sends k of them in one write, when the last of them is due.',
  shape: { events: z.int().min(2).max(MOST).describe('In one write.') },
  applies: (call) => call.stream,
  arm: ({ events }, { fire }) => ({
    *frames(frames) {
      let group: StreamFrame[] = [];
      for (const frame of frames) {
        group.push(frame);
        if (group.length < events) continue;
        yield* coalesced(group);
        fire();
        group = [];
      }
      yield* coalesced(group);
      if (group.length > 1) fire();
    },
  }),
});

/** All of a group are due with its last. */
export function coalesced(group: readonly StreamFrame[]): StreamFrame[] {
  const due_ms = group.at(-1)?.due_ms ?? 0;
  return group.map((frame) => ({ ...frame, due_ms }));
}
