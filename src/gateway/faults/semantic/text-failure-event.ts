import type { PaidKind } from '../../../core/call-kind.ts';
import type { StreamFrame } from '../../formats/stream-player.ts';
import { eventJson, eventText, fieldOf, type Json } from './text-event.ts';

const CODE = 'upstream_error';
const MESSAGE = 'The model did not finish this reply';

/** The error of a reply that fails after it began, as interface §7 words them. */
function failure(requestId: string): { readonly message: string; readonly code: string } {
  return { message: `${MESSAGE} (request id: ${requestId})`, code: CODE };
}

/** The error event of each format. */
export function errorEvent(kind: PaidKind | null, requestId: string): string {
  const { message, code } = failure(requestId);
  switch (kind) {
    case 'responses':
      return eventText(true, { type: 'error', code, message, param: null, sequence_number: 0 });
    case 'messages':
      return eventText(true, { type: 'error', error: { type: 'api_error', message } });
    default:
      return eventText(false, { error: { message, type: 'new_api_error', code } });
  }
}

/** A responses object as it is when it has failed. */
export function failedResponse(response: Json, requestId: string): Json {
  return { ...response, status: 'failed', error: failure(requestId) };
}

/** The responses object that a stream began with, or null. */
export function startedResponse(frame: StreamFrame): Json | null {
  const value = eventJson(frame);
  return value?.['type'] === 'response.created' ? fieldOf(value, 'response') : null;
}
