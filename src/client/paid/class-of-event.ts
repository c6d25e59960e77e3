import type { StreamEventClass } from '../../contracts/stream-event-class.ts';
import type { TextKind } from '../../core/call-kind.ts';
import { carriesError } from '../../wire/api-error.ts';
import { asArray, asName, asObject, type JsonObject, parseObject } from '../../wire/json-fields.ts';
import type { StreamEvent, TextStep } from '../../wire/text-stream.ts';

const TERMINATORS: readonly string[] = ['message_stop', 'response.completed', 'response.incomplete'];
const MESSAGES_FRAMES: readonly string[] = [
  'message_start',
  'message_delta',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
];

/** What one event was for. Judged by itself, so that a second terminator, or text after the end, is told as what it is. */
export function classOfEvent(kind: TextKind, event: StreamEvent, step: TextStep): StreamEventClass {
  if (event.data.trim() === '[DONE]') return kind === 'chat' ? 'terminator' : 'unknown';
  const body = parseObject(event.data);
  const name = asName(body?.['type']) ?? event.type;
  if (name === 'ping' || event.type === 'ping') return 'ping';
  if (body === null) return 'malformed';
  if (carriesError(body['error']) || name === 'error' || name === 'response.failed') return 'error';
  if (kind !== 'chat' && TERMINATORS.includes(name)) return 'terminator';
  if (step.content) return 'delta';
  if (usageIn(body)) return 'usage';
  return isFrame(kind, name, body) ? 'control' : 'unknown';
}

function isFrame(kind: TextKind, name: string, body: JsonObject): boolean {
  if (kind === 'chat') return Array.isArray(body['choices']);
  return kind === 'responses' ? name.startsWith('response.') : MESSAGES_FRAMES.includes(name);
}

function usageIn(body: JsonObject): boolean {
  const places = [
    body,
    asObject(body['message']),
    asObject(body['response']),
    ...asArray(body['choices']).map(asObject),
  ];
  return places.some((place) => asObject(place?.['usage']) !== null);
}
