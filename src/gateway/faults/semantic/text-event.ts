import * as z from 'zod';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { typedEvent } from '../../formats/typed-event.ts';

export type Json = Readonly<Record<string, unknown>>;

const json = z.record(z.string(), z.unknown());
const typed = z.looseObject({ type: z.string() });

/** The JSON of an event, or null for one that has none. */
export function eventJson({ text }: StreamFrame): Json | null {
  const data = /^data: (\{.*\})$/m.exec(text)?.[1];
  return data === undefined ? null : json.parse(JSON.parse(data));
}

/** An object inside the JSON of an event, or null. */
export function fieldOf(value: Json, name: string): Json | null {
  return json.safeParse(value[name]).data ?? null;
}

/** An event of the same format with other JSON. */
export function withJson(frame: StreamFrame, value: Json): StreamFrame {
  return { ...frame, text: eventText(frame.text.startsWith('event: '), value) };
}

/** `named`: with a line of its type, as all formats but chat have. */
export function eventText(named: boolean, value: Json): string {
  return named ? typedEvent(typed.parse(value)) : `data: ${JSON.stringify(value)}\n\n`;
}

/** Numbers the events of the responses format from 0, without a gap; the others have no numbers. */
export function* renumbered(frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  let next = 0;
  for (const frame of frames) {
    const value = eventJson(frame);
    if (value === null || !('sequence_number' in value)) yield frame;
    else {
      yield withJson(frame, { ...value, sequence_number: next });
      next += 1;
    }
  }
}
