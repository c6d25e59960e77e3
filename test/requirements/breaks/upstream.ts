import { isObject } from '../json.ts';
import { CHAT } from '../service.ts';
import { changing, type ServiceBreak, statusInstead, type Where } from '../service-break.ts';

/** Errors of the upstream; the gateway has codes of its own for them. */
function failures(instead: string, status: number | readonly number[], change: (message: string) => string) {
  return changing(instead, { path: CHAT, status }, ({ error }) => {
    if (isObject(error)) error['message'] = change(String(error['message']));
  });
}

/** Leaves one code out. */
function withoutCode(code: string): ServiceBreak {
  return changing('leaves the code empty', { path: CHAT }, ({ error }) => {
    if (isObject(error) && error['code'] === code) error['code'] = '';
  });
}

const asked = (fault: string): Where => ({
  path: CHAT,
  asks: ({ request }) => (request.headers['x-weighbridge-fault'] ?? '').startsWith(fault),
});

export const UPSTREAM_BREAKS = {
  'upstream.crowded_429': statusInstead('answers 503', asked('http.429_crowded'), 503),
  'upstream.crowded_code': withoutCode('upstream_crowded'),
  'upstream.unavailable_502': statusInstead('answers 503', asked('http.502_unavailable'), 503),
  'upstream.unavailable_code': withoutCode('upstream_unavailable'),
  'upstream.rejected_code': withoutCode('upstream_rejected'),
  'upstream.error_code': withoutCode('upstream_error'),
  'upstream.short_message': failures(
    'tells all it knows',
    [500, 502, 503, 504, 524],
    (message) => `${'at Upstream.call (upstream.ts:1:1) '.repeat(9)}${message}`,
  ),
  'upstream.provider_text': failures('has a sentence of its own', [400, 413, 422], (message) =>
    message.replace('messages.0: odd, {none}', 'The request is malformed'),
  ),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
