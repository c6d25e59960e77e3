import type { CallShape } from './planned-call.ts';

/** A fault, with what has to go wrong beside it, on a call that it can hit. */
export interface Planting {
  /** As the gateway's header takes them. */
  readonly faults: string;
  /** Null: any model and format, drawn anew for each call. */
  readonly shape: CallShape | 'any_text' | 'any_stream' | 'any_job';
  readonly retried?: boolean;
  /** Instances a world, in place of the usual number. */
  readonly least?: number;
}

const CUT = 'net.fin_mid; after_events=9';
const FAILED = 'sem.task_failed_200';
/** Records change so late that one sweep is before it and one after. */
export const LATE_MS = 6000;

/** Wrong records, refunds, states and tokens: each fault needs its own call and nothing else. */
export const RECORD_PLANTINGS: readonly Planting[] = [
  { faults: 'bill.double_charge; variant=second_record', shape: 'any_text' },
  { faults: 'bill.double_charge; variant=double_price', shape: 'any_text' },
  { faults: 'bill.duplicate_record', shape: 'any_text' },
  { faults: 'bill.retry_charge', shape: 'any_text' },
  { faults: 'bill.phantom_record', shape: 'any_text' },
  { faults: 'bill.missing_record', shape: 'any_text' },
  { faults: 'bill.missing_record', shape: 'any_job' },
  { faults: 'bill.wrong_key', shape: 'any_text' },
  { faults: 'bill.charge_rejected; variant=400', shape: 'any_text' },
  { faults: 'bill.charge_rejected; variant=403', shape: 'any_text' },
  { faults: 'bill.charge_rejected; variant=429', shape: 'any_text' },
  { faults: 'bill.charge_server_error; variant=whole', shape: 'any_text' },
  { faults: 'bill.charge_server_error; variant=above_possible', shape: 'any_text' },
  { faults: 'bill.retry_double_charge; variant=server_error', shape: 'any_text', retried: true },
  { faults: 'bill.retry_double_charge; variant=timeout', shape: 'any_text', retried: true },
  { faults: 'bill.uncharged_success', shape: 'any_text' },
  { faults: 'bill.pending_forever', shape: 'any_text' },
  { faults: 'bill.pending_forever', shape: 'any_job' },
  { faults: 'bill.reserve_leak', shape: 'any_text' },
  { faults: 'bill.pending_to_unknown; after_ms=500', shape: 'any_text' },
  { faults: 'sem.empty_output; charged=true', shape: 'any_stream' },
  { faults: 'bill.token_mismatch; variant=output', shape: 'any_text' },
  { faults: 'bill.token_mismatch; variant=input', shape: 'any_text' },
  // More input than output, which is the dearer: swapped, they cost more.
  { faults: 'bill.swap_in_out', shape: { kind: 'chat', model: 'aspen', prompt: 600, limit: 20 } },
  { faults: 'bill.estimated_high; variant=completed', shape: 'any_text' },
  { faults: `${CUT}, bill.estimated_unflagged`, shape: 'any_stream' },
  { faults: `${CUT}, bill.estimated_high; variant=cut`, shape: 'any_stream' },
  { faults: `${CUT}, bill.zero_on_abort`, shape: 'any_stream' },
  { faults: `${CUT}, bill.charge_on_abort; variant=above_possible`, shape: 'any_stream' },
  { faults: `${CUT}, bill.charge_on_abort; variant=below_one_token`, shape: 'any_stream' },
  { faults: CUT, shape: 'any_stream', least: 3 },
  { faults: 'bill.sci_notation', shape: 'any_text' },
  { faults: 'bill.number_not_string', shape: 'any_text' },
  { faults: 'bill.comma', shape: 'any_text' },
  { faults: 'bill.negative; variant=amount', shape: 'any_text' },
  { faults: 'bill.negative; variant=input_tokens', shape: 'any_text' },
  { faults: 'bill.wrong_model; variant=name', shape: 'any_text' },
  { faults: `${FAILED}, bill.charge_failed`, shape: 'any_job' },
  { faults: `${FAILED}, bill.missing_refund`, shape: 'any_job' },
  { faults: `${FAILED}, bill.late_refund; after_ms=1000`, shape: 'any_job' },
  { faults: `${FAILED}, bill.double_refund`, shape: 'any_job' },
  { faults: `${FAILED}, bill.partial_refund`, shape: 'any_job' },
  { faults: 'sem.stuck_in_progress; for_ms=0', shape: 'any_job' },
  { faults: 'sem.queued_forever', shape: 'any_job' },
];

/** After all others, so that a sweep sees them before they change. */
export const LATE_PLANTINGS: readonly Planting[] = [
  { faults: `bill.late_record; after_ms=${LATE_MS}`, shape: 'any_text' },
  { faults: `bill.state_regression; variant=amount; after_ms=${LATE_MS}`, shape: 'any_text' },
  { faults: `bill.state_regression; variant=pending; after_ms=${LATE_MS}`, shape: 'any_text' },
  { faults: `bill.state_regression; variant=gone; after_ms=${LATE_MS}`, shape: 'any_text' },
];

const chat = (model: string, more: Partial<CallShape> = {}): CallShape => ({ kind: 'chat', model, ...more });
const cached = (model: string, of: 'model' | 'call'): CallShape =>
  chat(model, { prefix: { of, characters: 6000 } });
const long = { prompt: 9000, limit: 16 } as const;
/** Replies end by themselves, so that no call costs what it reserved. */
const whole = { limit: 1500 } as const;
const priced = (faults: string, shape: CallShape): Planting => ({ faults, shape });
const picture = (model: string, quality: string): CallShape => ({
  kind: 'image',
  model,
  more: { quality },
});
const film = (model: string, size: string): CallShape => ({ kind: 'video', model, more: { size } });

/** Wrong prices: each on a model or format of its own, where one cause is at work. */
export const PRICE_PLANTINGS: readonly Planting[] = [
  priced('bill.wrong_rate; variant=output_at_input', chat('aspen-pro')),
  priced('bill.wrong_rate; variant=input_at_output', chat('glen-large')),
  priced('bill.wrong_rate; variant=cache_read_at_input', cached('cedar-sonnet', 'model')),
  priced('bill.wrong_rate; variant=cache_write_at_read', cached('cedar-opus', 'call')),
  priced('bill.wrong_rate; variant=cache_counted_twice', cached('cedar-opus-classic', 'model')),
  priced('bill.cache_dropped', cached('cedar-haiku-4.5', 'model')),
  priced('bill.wrong_rate; variant=image_dearest', picture('lumen-image', 'low')),
  priced('bill.wrong_rate; variant=image_cheapest', picture('lumen-image-1.5', 'high')),
  priced('bill.video_units; variant=longest', film('orbit-2', '1280x720')),
  priced('bill.video_units; variant=dearest_resolution', film('quartz-lite:i2v', '854x480')),
  priced('bill.wrong_model; variant=price', chat('cedar-haiku', { prompt: 6000 })),
  priced('bill.multiplier_hidden', chat('dune-flash', whole)),
  priced('bill.multiplier_hidden; factor=1.37', chat('aspen-2026-05-13', whole)),
  priced('bill.unit_error; variant=cents_as_usd', chat('fjord-chat')),
  priced('bill.unit_error; variant=usd_as_cents', chat('fjord-reasoner')),
  priced('bill.unit_error; variant=per_thousand', chat('dune-pro')),
  priced('bill.unit_error; variant=per_billion', chat('heath,large=v2', { prompt: 4000 })),
  // Two of one amount are a coincidence.
  { ...priced('bill.min_charge', chat('elm/elm-70b-instruct:free-tier')), least: 4 },
  priced('bill.settle_above_reserve', chat('dune-flash-lite', whole)),
  rounding('half_even', chat("kelp's finest")),
  rounding('truncate', chat('elm/elm-8b-instruct')),
  rounding('up', chat('juniper "quoted" model')),
  rounding('six_places', chat('birch-4.1')),
  rounding('per_token', { kind: 'responses', model: 'elm/elm-8b-instruct' }),
  rounding('float', chat('birch-4.1-nano')),
  priced('bill.reasoning_double_count; variant=counted_twice', chat('oak-think')),
  priced('bill.reasoning_double_count; variant=charged_twice', { kind: 'responses', model: 'oak-think' }),
  priced('bill.reasoning_double_count; variant=omitted', chat('oak-think-deep')),
  priced('bill.tier_not_applied; variant=base', chat('maple-long', long)),
  priced('bill.tier_not_applied; variant=other_edge', {
    kind: 'messages',
    model: 'maple-long',
    prompt: 4000,
    context: 2000,
  }),
  priced('bill.tier_not_applied; variant=without_cache', {
    kind: 'responses',
    model: 'maple-long',
    prefix: { of: 'model', characters: 6400 },
    prompt: 3200,
  }),
  priced('bill.tier_not_applied; variant=other_edge', chat('maple-steps', { prompt: 10_000, context: 3000 })),
  priced('bill.tier_not_applied; variant=graduated', {
    kind: 'messages',
    model: 'maple-steps',
    prompt: 6000,
  }),
  priced('bill.tier_not_applied; variant=output_at_base', {
    kind: 'responses',
    model: 'maple-steps',
    prompt: 6000,
  }),
  priced('bill.service_tier_price; variant=as_default', chat('pine', { more: { service_tier: 'priority' } })),
  priced('bill.service_tier_price; variant=as_default', chat('pine', { more: { service_tier: 'flex' } })),
  priced('bill.service_tier_price; variant=as_flex', { kind: 'responses', model: 'pine' }),
  priced('bill.service_tier_price; variant=as_priority', { kind: 'messages', model: 'pine' }),
  priced('bill.tool_surcharge; variant=one_more', searching('rowan-search')),
  priced('bill.tool_surcharge; variant=omitted', searching('rowan-search')),
  priced('bill.free_model_charged', chat('glen-small')),
];

/** Without a price in the worlds of wrong prices. */
export const FREE_MODEL = 'glen-small';

/** After a change of prices; each on a model of its own. */
export const VERSION_PLANTINGS: readonly Planting[] = [
  priced('bill.wrong_version; variant=old_version', chat('aspen')),
  priced('bill.wrong_version; variant=old_prices', chat('birch-4.1')),
  priced('bill.wrong_version; variant=new_prices_old_id', chat('dune-pro')),
];

/** Calls in the order in which the gateway accepts them: the first of each pair is the one before. */
export const REUSE: Planting = { faults: 'bill.request_id_reuse', shape: 'any_text' };

/** Some of them round to the same either way; one alone shows no coarser step. */
function rounding(variant: string, shape: CallShape): Planting {
  return { faults: `bill.amount_rounding; variant=${variant}`, shape, least: 6 };
}

function searching(model: string): CallShape {
  return { kind: 'responses', model, more: { tools: [{ type: 'web_search' }] } };
}
