import * as z from 'zod';
import type { StreamEvents, TextFormat, TextReply } from '../formats/text-format.ts';
import type { Quirks } from './quirks.ts';

/** Stands before each answer; it is no part of the tokens that are told. */
const REASONING = 'The words are weighed before they are said.';

const chatAnswer = z.looseObject({ choices: z.tuple([z.looseObject({ message: z.looseObject({}) })]) });

/** The format as a server with these quirks speaks it. */
export function plainFormat(format: TextFormat, { flags }: Quirks): TextFormat {
  const reasons = flags.has('reasoning-content') && format.kind === 'chat';
  return {
    ...format,
    whole(reply) {
      const body = reasons ? withReasoning(format.whole(reply)) : format.whole(reply);
      if (!flags.has('no-usage')) return body;
      return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'usage'));
    },
    events(reply): StreamEvents {
      const events = format.events(reply);
      return {
        ...events,
        opening: reasons ? [...events.opening, reasoningEvent(reply)] : events.opening,
        closing: () => (flags.has('no-done') ? events.closing().slice(0, -1) : events.closing()),
      };
    },
  };
}

function withReasoning(body: object): object {
  const answer = chatAnswer.parse(body);
  const [choice] = answer.choices;
  const message = { ...choice.message, reasoning_content: REASONING };
  return { ...answer, choices: [{ ...choice, message }] };
}

function reasoningEvent({ requestId, created, model }: TextReply): string {
  const chunk = {
    id: `chatcmpl-${requestId}`,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta: { reasoning_content: REASONING }, finish_reason: null }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
