import * as z from 'zod';

/** Choices of how a call is kept, and how its record tells it. */
export const recordReadings = {
  amount: z
    .enum(['net', 'gross'])
    .default('net')
    .describe('`gross`: amounts still include what `refunded_amount` gives back, in totals too.'),
  created_at: z
    .enum(['acceptance', 'settlement', 'answered'])
    .default('acceptance')
    .describe(
      '`settlement`: a record moves to the second in which its call ended; `answered`: to that of its answer, which for a task is its acceptance.',
    ),
  unused_reserve: z
    .enum(['refunded', 'released', 'rewritten', 'zeroed'])
    .default('refunded')
    .describe(
      '`released`: a settled record has `refunded_amount` 0; `rewritten`: its reserve is its amount; `zeroed`: its reserve is 0. Refunds for credit notes only: `released` with `failed_call: refund_record`; the whole reserve in the amount: `amount: gross`.',
    ),
  failed_call: z
    .enum(['refunded', 'gross', 'zero', 'negative_record', 'refund_record', 'no_record'])
    .default('refunded')
    .describe(
      'The record of a call that is not charged. `gross`: its amount is the reserve; `zero`: both are 0; `negative_record`, `refund_record`: it is charged, and a second record takes the charge back; `no_record`: none.',
    ),
  refused_call: z
    .enum(['no_record', 'free_record'])
    .default('no_record')
    .describe('`free_record`: a call that is refused with a 4xx has a record of amount 0.'),
  call_records: z
    .enum(['one', 'reserve_and_settlement', 'inner_retries'])
    .default('one')
    .describe(
      '`reserve_and_settlement`: the reserve and its correction; `inner_retries`: every fourth call also has a free record of a failed attempt.',
    ),
  task_request_id: z
    .enum(['submit', 'task'])
    .default('submit')
    .describe(
      'The `request_id` in the record of an image job or a video: the id of the request, or of the task.',
    ),
  version_form: z
    .enum(['plain', 'with_contract'])
    .default('plain')
    .describe(
      '`with_contract`: `pricing_version` of records ends in `/standard`; that of the book does not.',
    ),
  record_model: z
    .enum(['as_asked', 'dated', 'prefixed', 'upper_case'])
    .default('as_asked')
    .describe("The model's name in records and totals. The `model` filter takes both names."),
  input_tokens: z
    .enum(['with_cache', 'without_cache', 'without_writes'])
    .default('with_cache')
    .describe(
      '`without_cache`: `input_tokens` of records exclude cache tokens; `without_writes`: they exclude only written ones.',
    ),
  output_tokens: z
    .enum(['with_reasoning', 'without_reasoning'])
    .default('with_reasoning')
    .describe('Whether `output_tokens` of records include reasoning.'),
  values: z
    .enum(['named', 'other', 'voided', 'waived', 'never_settled'])
    .default('named')
    .describe(
      'Words for `result` and `billing_status` beside `completed` and `settled`; `never_settled` keeps a refunded call `pending` forever.',
    ),
  amount_form: z
    .enum(['shortest', 'padded', 'long', 'exponent', 'double_noise', 'number'])
    .default('shortest')
    .describe(
      '`padded`: trailing zeros up to the decimals of the rounding; `long`: 15 decimals; `exponent`: `1.335e-5`; `double_noise`: all 17 digits of the nearest double, as `1.3349999999999999e-05`; `number`: JSON numbers in records.',
    ),
};
