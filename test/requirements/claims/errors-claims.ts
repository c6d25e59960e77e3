import type { Requirement } from './requirement.ts';

/** What the interface says of errors. */
export const ERRORS_CLAIMS = [
  {
    id: 'errors.error_object',
    source: 'interface §7 model-call error body',
    says: 'A failed model call answers with an object that holds error.',
  },
  {
    id: 'errors.message_string',
    source: 'interface §7 model-call error body',
    says: 'message of an error is a string.',
  },
  {
    id: 'errors.type_string',
    source: 'interface §7 model-call error body',
    says: 'type of an error is a string.',
  },
  {
    id: 'errors.code_string',
    source: 'interface §7 model-call error body',
    says: 'code of an error is a string.',
  },
  {
    id: 'errors.english',
    source: 'interface §7 model-call error body',
    says: 'Messages are English whatever language is asked for.',
  },
  {
    id: 'errors.request_id',
    source: 'interface §7 model-call error body',
    says: 'Messages include a request id.',
  },
  {
    id: 'errors.code_empty',
    source: 'interface §7 model-call error body',
    says: 'Where there is no named reason the code is empty.',
  },
  { id: 'errors.malformed_400', source: 'interface §7 other rules', says: 'A malformed request is 400.' },
  {
    id: 'errors.account_success_false',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has success false.',
  },
  {
    id: 'errors.account_message',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has a message.',
  },
  {
    id: 'errors.account_no_error_object',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has no error object of model calls.',
  },
  {
    id: 'errors.account_blocked_403',
    source: 'interface §7 row 403',
    says: 'A call of a blocked account is 403.',
  },
  {
    id: 'errors.key_not_permitted_403',
    source: 'interface §7 row 403',
    says: 'A call with a key that is not permitted is 403.',
  },
  { id: 'errors.access_denied', source: 'interface §7 row 403', says: 'The code of both is access_denied.' },
  { id: 'credit.spent_key_402', source: 'interface §7 row 402', says: 'A key without credit is 402.' },
  {
    id: 'credit.negative_balance_402',
    source: 'interface §7 row 402',
    says: 'A negative account balance is 402.',
  },
  {
    id: 'credit.estimate_403',
    source: 'interface §7 row 403',
    says: 'An estimate that the balance does not cover is 403.',
  },
  {
    id: 'credit.code_402',
    source: 'interface §7 row 402',
    says: 'The code of that 402 is insufficient_user_quota.',
  },
  {
    id: 'credit.code_403',
    source: 'interface §7 row 403',
    says: 'The code of that 403 is insufficient_user_quota.',
  },
  {
    id: 'credit.message_balance',
    source: 'interface §7 case 2',
    says: 'The message about credit states the balance in USD.',
  },
  {
    id: 'credit.media',
    source: 'interface §8 credit',
    says: 'Images and videos fail where credit does not cover them.',
  },
  {
    id: 'credit.added_then_taken',
    source: 'interface §7 case 2',
    says: 'Once credit was added the call is taken.',
  },
  { id: 'limits.rate_429', source: 'interface §7 row 429; §8', says: 'Calls above the rate are 429.' },
  {
    id: 'limits.concurrency_429',
    source: 'interface §7 row 429; §8',
    says: 'Calls above the concurrency are 429.',
  },
  { id: 'limits.no_credit_error', source: 'interface §7 row 429', says: 'A 429 is no credit error.' },
  {
    id: 'limits.retry_after',
    source: 'interface §7 case 6',
    says: 'After Retry-After the call is taken again.',
  },
  { id: 'upstream.crowded_429', source: 'interface §7 row 429', says: 'A busy upstream channel is 429.' },
  {
    id: 'upstream.crowded_code',
    source: 'interface §7 row 429; upstream codes',
    says: 'Its code is upstream_crowded.',
  },
  {
    id: 'upstream.unavailable_502',
    source: 'interface §7 row 502',
    says: 'An upstream channel that is unavailable is 502.',
  },
  {
    id: 'upstream.unavailable_code',
    source: 'interface §7 row 502; upstream codes',
    says: 'Its code is upstream_unavailable.',
  },
  {
    id: 'upstream.rejected_code',
    source: 'interface §7 upstream codes',
    says: 'What a provider rejects for a reason other than its shape has the code upstream_rejected.',
  },
  {
    id: 'upstream.error_code',
    source: 'interface §7 row 5xx; upstream codes',
    says: 'The code of other server errors is upstream_error.',
  },
  {
    id: 'upstream.short_message',
    source: 'interface §7 other rules',
    says: 'Upstream failures carry a short sentence and the request id.',
  },
  {
    id: 'upstream.provider_text',
    source: 'interface §7 other rules',
    says: '400, 413 and 422 carry the text of the provider.',
  },
] as const satisfies readonly Requirement[];
