import { defineFault } from '../../hooks/fault-definition.ts';
import { eventJson, type Json, withJson } from './text-event.ts';

const OTHER_TEXT = ' other';

/** A second choice that nobody asked for, event by event between those of the first. */
export const semInterleavedChoices = defineFault({
  id: 'sem.interleaved_choices',
  summary: 'Mixes events of a second choice, index 1, into a chat stream of one choice.',
  charge: 'charged',
  shape: {},
  applies: ({ kind, stream }) => kind === 'chat' && stream,
  arm: (_parameters, { fire }) => ({
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
