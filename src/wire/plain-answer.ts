import type { PaidKind, TextKind } from '../core/call-kind.ts';
import { carriesError } from './api-error.ts';
import { asArray, asName, asObject, type JsonObject } from './json-fields.ts';

/** An event in which a part of a plain answer would be streamed. */
/** The document as the events in which the same answer would be streamed: one reading of each format is enough. */
export function eventsOfAnswer(kind: TextKind, document: JsonObject) {
  if (carriesError(document['error']) && !isFailedResponse(kind, document))
    return [{ type: 'error', body: { type: 'error', error: document['error'] } }];
  if (kind === 'chat') {
    const choices = asArray(document['choices']).map((choice) => {
      const { message, ...rest } = asObject(choice) ?? {};
      return { ...rest, delta: message };
    });
    return [{ type: '', body: { ...document, choices } }];
  }
  if (kind === 'responses') {
    const type = `response.${asName(document['status']) ?? 'none'}`;
    return [{ type, body: { type, response: document } }];
  }
  const { content, usage, stop_reason, ...message } = document;
  return [
    { type: 'message_start', body: { type: 'message_start', message: { ...message, usage } } },
    ...asArray(content).map((block) => ({
      type: 'content_block_start',
      body: { type: 'content_block_start', content_block: block },
    })),
    { type: 'message_delta', body: { type: 'message_delta', delta: { stop_reason } } },
    { type: 'message_stop', body: { type: 'message_stop' } },
  ];
}

/** Whether the document has the shape of its kind's answers. `isFilled` tells a text that is there, however it is held. */
export function isAnswerShaped(
  kind: PaidKind,
  document: JsonObject,
  isFilled: (value: unknown) => boolean = isText,
): boolean {
  if (carriesError(document['error'])) return isFailedResponse(kind, document);
  switch (kind) {
    case 'chat': {
      const choices = asArray(document['choices']).map(asObject);
      return (
        choices.length > 0 &&
        choices.every(
          (choice) => asObject(choice?.['message']) !== null && asName(choice?.['finish_reason']) !== null,
        )
      );
    }
    case 'completion': {
      const choices = asArray(document['choices']).map(asObject);
      return (
        choices.length > 0 &&
        choices.every(
          (choice) => typeof choice?.['text'] === 'string' && asName(choice['finish_reason']) !== null,
        )
      );
    }
    case 'embedding': {
      const items = asArray(document['data']).map(asObject);
      return (
        items.length > 0 &&
        items.every((item) => asArray(item?.['embedding']).length > 0 || isFilled(item?.['embedding']))
      );
    }
    case 'responses':
      return (
        ['completed', 'incomplete', 'failed'].includes(asName(document['status']) ?? '') &&
        (Array.isArray(document['output']) || document['status'] === 'failed')
      );
    case 'messages':
      return Array.isArray(document['content']) && asName(document['stop_reason']) !== null;
    case 'image':
    case 'image_edit': {
      const items = asArray(document['data']).map(asObject);
      return (
        items.length > 0 && items.every((item) => isFilled(item?.['url']) || isFilled(item?.['b64_json']))
      );
    }
    case 'image_job':
    case 'image_edit_job':
      return asName(document['job_id']) !== null;
    case 'video':
      return asName(document['id']) !== null;
  }
}

/** A response that failed says so in the shape of its answers. */
function isFailedResponse(kind: PaidKind, document: JsonObject): boolean {
  return kind === 'responses' && document['status'] === 'failed';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
