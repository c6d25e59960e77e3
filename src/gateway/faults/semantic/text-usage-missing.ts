import { defineFault } from '../../hooks/fault-definition.ts';
import { isTextCall } from './text-call.ts';
import { eventJson, fieldOf, type Json, withJson } from './text-event.ts';

/** Where the formats put usage besides the top of an answer. */
const HOLDERS = ['message', 'response'];

/** The client has nothing to check the record by. */
export const semUsageMissing = defineFault({
  id: 'sem.usage_missing',
  summary: 'Leaves usage out of an answer, wherever its format puts it. The record has it.',
  charge: 'charged',
  shape: {},
  applies: isTextCall,
  arm: (_parameters, { fire }) => ({
    json(value) {
      const without = withoutUsage(value);
      if (without !== null) fire();
      return without;
    },
    *frames(frames) {
      for (const frame of frames) {
        const value = eventJson(frame);
        const without = value === null ? null : withoutUsage(value);
        if (without === null) yield frame;
        else {
          // The last chunk of a chat has no choices and nothing but usage to tell.
          if (!isEmptyList(without['choices'])) yield withJson(frame, without);
          fire();
        }
      }
    },
  }),
});

function withoutUsage(value: Json): Record<string, unknown> | null {
  if ('usage' in value && value['usage'] !== null) return left(value);
  for (const holder of HOLDERS) {
    const held = fieldOf(value, holder);
    if (held !== null && (held['usage'] ?? null) !== null) return { ...value, [holder]: left(held) };
  }
  return null;
}

function left({ usage: _usage, ...rest }: Json): Record<string, unknown> {
  return rest;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
