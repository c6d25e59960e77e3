import * as z from 'zod';
import { isJsonObject } from '../requests/json-answer.ts';

const marked = z.looseObject({ cache_control: z.looseObject({ ttl: z.literal('1h') }) });

/** Whether a part of the prompt asks for a cache of an hour. */
export function asksForAnHour(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  const parts = [body['system'], body['messages']].flatMap(partsOf);
  return parts.some((part) => marked.safeParse(part).success);
}

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return isJsonObject(value) ? [value, ...partsOf(value['content'])] : [];
}
