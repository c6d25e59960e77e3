import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { defineFault, type FaultDefinition, plainFault } from '../../hooks/fault-definition.ts';

/** Other forms of the same events: a parser by the standard reads each of them alike. */
export const LINE_FORMS: readonly FaultDefinition[] = [
  form('net.crlf', 'Ends the lines of a stream with CR LF.', (text) => text.replaceAll('\n', '\r\n')),
  form('net.cr', 'Ends the lines of a stream with a bare CR.', (text) => text.replaceAll('\n', '\r')),
  form('net.bom', 'Begins a stream with a byte order mark.', (text, first) =>
    first ? `\ufeff${text}` : text,
  ),
  form('net.nospace', 'Leaves out the blank after the colons of a stream.', (text) =>
    text.replace(/^(data|event|id|retry): /gm, '$1:'),
  ),
  form('net.multiline_data', 'Spreads the JSON of an event over several data lines.', (text) =>
    text.replace(/^data: (\{.*\})$/gm, (_line, json: string) => dataLines(json)),
  ),
];

function form(id: string, summary: string, write: (text: string, first: boolean) => string): FaultDefinition {
  return plainFault({
    id,
    summary,
    applies: (call) => call.stream,
    arm: ({ fire }) => ({
      *frames(frames) {
        let first = true;
        for (const frame of frames) {
          const text = write(frame.text, first);
          first = false;
          yield { ...frame, text };
          if (text !== frame.text) fire();
        }
      },
    }),
  });
}

/** JSON may be broken between its tokens: the line feeds that a parser puts between data lines fall there. */
function dataLines(json: string): string {
  const spread = JSON.stringify(JSON.parse(json), null, 1);
  return spread
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n');
}

const LONGEST_MS = 60_000;
const COMMENT = ': PING\n\n';

/** Comments are no events: a first one is no first token. */
export const netComments = defineFault({
  id: 'net.comments',
  summary: 'Puts comments into a stream at an interval, from its acceptance.',
  shape: { every_ms: z.int().min(1).max(LONGEST_MS).describe('Between two comments.') },
  applies: (call) => call.stream,
  arm: ({ every_ms }, { fire }) => ({
    *frames(frames, start_ms) {
      let due_ms = start_ms + every_ms;
      for (const frame of frames) {
        // What never falls due has no comments before it: it would have them without end.
        for (; due_ms < frame.due_ms && frame.due_ms < Number.POSITIVE_INFINITY; due_ms += every_ms) {
          yield { text: COMMENT, due_ms, hasText: false, last: false, event: false };
          fire();
        }
        yield frame;
      }
    },
  }),
});

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
  return plainFault({
    id,
    summary,
    applies: (call) => call.stream,
    arm: ({ fire }) => ({
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
