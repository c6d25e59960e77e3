import { asObject, asText } from './json-fields.ts';

/** An error object as the target words it (interface §7). */
export interface ServedError {
  readonly message: string;
  readonly type: string;
  readonly code: string;
}

/** null, '', false and numbers say that there is no error. */
export function carriesError(value: unknown): boolean {
  return asObject(value) !== null || (typeof value === 'string' && value !== '');
}

/** Reads {message, type, code}; a bare string is the message, a numeric code becomes text. */
export function readApiError(value: unknown): ServedError {
  if (typeof value === 'string') return { message: asText(value), type: '', code: '' };
  const error = asObject(value);
  const code = error?.['code'];
  return {
    message: asText(error?.['message']),
    type: asText(error?.['type']),
    code: typeof code === 'number' ? String(code) : asText(code),
  };
}
