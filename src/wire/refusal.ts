import { jsonOf } from '../text/json-of.ts';
import { carriesError, readApiError, type ServedError } from './api-error.ts';
import { asName, asObject, asText } from './json-fields.ts';
import { requestIdsIn } from './request-ids.ts';

/** The body of a refused call, in any of the shapes of interface §7 and of what stands in front of it. */
export interface Refusal extends ServedError {
  /** Named in the message, the last first (a gateway behind a gateway appends its own), then one beside the error. */
  readonly request_ids: readonly string[];
  /** The error page of a proxy. */
  readonly html: boolean;
  /** The error object of a model call is there. */
  readonly shaped: boolean;
}

/** Reads {error:{…}}, {type:"error",error:{…}} and {success:false,message}; of anything else the text is the message. */
export function readRefusal(text: string): Refusal {
  const document = asObject(jsonOf(text));
  const held = document?.['error'];
  const shaped = carriesError(held);
  const told = shaped ? held : typeof document?.['message'] === 'string' ? document : null;
  const error = told === null ? { message: asText(text).trim(), type: '', code: '' } : readApiError(told);
  const ids = [...requestIdsIn(error.message), asName(document?.['request_id'])];
  return {
    ...error,
    request_ids: [...new Set(ids.filter((id) => id !== null))],
    html: document === null && isHtmlPage(text),
    shaped,
  };
}

/** A page, which no endpoint answers with, is told by its beginning. */
export function isHtmlPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html)/i.test(text.replace(/^\uFEFF/, ''));
}

const MOST_SHOWN = 120;

/** How a foreign text begins, on one line. */
export function beginningOf(text: string): string {
  const line = asText(text.slice(0, 16 * MOST_SHOWN))
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
  const points = Array.from(line);
  return points.length > MOST_SHOWN ? `${points.slice(0, MOST_SHOWN).join('')}…` : line;
}
