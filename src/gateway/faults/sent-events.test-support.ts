import * as z from 'zod';
import type { TextKind } from '../../core/call-kind.ts';

/** One Server-Sent Event by the rules of the standard. */
export interface SentEvent {
  readonly type: string;
  readonly data: string;
}

/** Reads a stream as the standard says; what stands after the last blank line is no event. */
export function sentEvents(body: Uint8Array): SentEvent[] {
  const text = new TextDecoder('utf-8').decode(body);
  const events: SentEvent[] = [];
  let type = '';
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    if (line === '') {
      if (data.length > 0) events.push({ type, data: data.join('\n') });
      type = '';
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    else if (line.startsWith('event:')) type = line.slice(6).replace(/^ /, '');
  }
  return events;
}

/** The JSON of each event that has some. */
export function jsonEvents(events: readonly SentEvent[]): Record<string, unknown>[] {
  return events.flatMap(({ data }) => {
    try {
      return [z.record(z.string(), z.unknown()).parse(JSON.parse(data))];
    } catch {
      return [];
    }
  });
}

const chat = z.object({
  choices: z.array(z.object({ index: z.literal(0), delta: z.object({ content: z.string() }) })).min(1),
});
const responses = z.object({ type: z.literal('response.output_text.delta'), delta: z.string() });
const messages = z.object({
  type: z.literal('content_block_delta'),
  delta: z.object({ text: z.string() }),
});

/** The text of each event of text. */
export function textPieces(kind: TextKind, events: readonly SentEvent[]): string[] {
  return jsonEvents(events).flatMap((event) => {
    if (kind === 'responses') return responses.safeParse(event).data?.delta ?? [];
    if (kind === 'messages') return messages.safeParse(event).data?.delta.text ?? [];
    const piece = chat.safeParse(event).data?.choices[0]?.delta.content ?? '';
    return piece === '' ? [] : [piece];
  });
}

/** How many events say that the stream is over, as its format does. */
export function terminators(kind: TextKind, events: readonly SentEvent[]): number {
  return events.filter(({ type, data }) => {
    if (kind === 'chat') return data === '[DONE]';
    return kind === 'messages' ? type === 'message_stop' : /^response\.(completed|incomplete)$/.test(type);
  }).length;
}
