import type { PicoUsd } from '../core/amount.ts';
import type { PriceBook } from '../core/price-book.ts';
import type { ChargeLine } from '../core/reconciliation.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from '../pricebook/charge-facts.ts';
import { evaluateCharge } from '../pricebook/evaluate-charge.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../pricebook/price-bounds.ts';
import type { JudgeContext } from './judge-context.ts';
import type { PaidCall } from './paid-call.ts';
import { recordDue } from './record-due.ts';
import type { ServedRecord } from './served-record.ts';

/** What a call should cost by the client's own evidence. */
export interface Expected {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** No charge at all is right too. */
  readonly zero_allowed: boolean;
  /** The one right charge; null where only bounds are known. */
  readonly point: PicoUsd | null;
  readonly lines: readonly ChargeLine[];
  /** Null where the charge is 0 whatever the book says. */
  readonly facts: ChargeFacts | null;
}

export type Expectation = Expected | { readonly unknown: string; readonly unpriced_model: boolean };

/** Tokens that a gateway's prompt template may add to a prompt of known bytes; a token is at least one byte. */
const PROMPT_OVERHEAD_TOKENS = 1_024n;

export function expectedCharge(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  book: PriceBook | null,
): Expectation {
  const due = recordDue(call);
  if (due === 'free' || due === 'never') {
    return { lo: 0n, hi: 0n, zero_allowed: true, point: 0n, lines: [], facts: null };
  }
  if (book === null)
    return { unknown: 'the price book of its pricing version was not archived', unpriced_model: false };
  const facts = factsOf(context, call, record, book);
  if (facts === null) return { unknown: 'the size of its prompt is not known', unpriced_model: false };
  const charge = evaluateCharge(book, call.model, facts);
  if ('unpriced' in charge) {
    return {
      unknown: charge.unpriced,
      unpriced_model: !book.models.some(({ model }) => model === call.model),
    };
  }
  const certain = due === 'must';
  return {
    lo: charge.lo,
    hi: charge.hi,
    zero_allowed: !certain,
    point: certain && charge.lo === charge.hi ? charge.lo : null,
    lines: charge.lines,
    facts,
  };
}

/** Charge of a text record by its own token counts; null where it cannot be priced. */
export function chargeOfRecordTokens(
  context: JudgeContext,
  record: ServedRecord,
  model: string,
  book: PriceBook,
): PicoUsd | null {
  const { input, output, cache_read, cache_write } = record;
  if (input === null || output === null || cache_read === null || cache_write === null) return null;
  if (input < 0n || output < 0n || cache_read < 0n || cache_write < 0n) return null;
  if (book.models.find((entry) => entry.model === model)?.kind !== 'text') return null;
  const whole = context.settings.input_includes_cache === 'yes' ? input : input + cache_read + cache_write;
  const charge = evaluateCharge(book, model, { ...NO_FACTS, input: whole, output, cache_read, cache_write });
  return 'unpriced' in charge ? null : charge.rounded;
}

function factsOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  book: PriceBook,
): ChargeFacts | null {
  if (!call.text) return unitFacts(call);
  const usage = call.row?.usage ?? null;
  const entry = book.models.find(({ model }) => model === call.model);
  const priced = new Set(entry?.components.map(({ meter }) => meter));
  const input = inputOf(call);
  if (input === null) return null;
  const most = typeof input === 'bigint' ? input : input.hi;
  const complete = call.outcome === 'ok' && usage !== null;
  function cached(
    known: number | null,
    recorded: bigint | null,
    meter: 'cache_read_token' | 'cache_write_token',
  ): Quantity {
    if (known !== null) return BigInt(known);
    // A format that does not report cache tokens leaves them open only where the record says that there were some.
    if (!priced.has(meter) || (complete && (recorded ?? 0n) === 0n)) return 0n;
    return { lo: 0n, hi: most };
  }
  return {
    ...NO_FACTS,
    input,
    output: complete && usage.output !== null ? BigInt(usage.output) : outputBounds(context, call, book),
    cache_read: cached(usage?.cache_read ?? null, record?.cache_read ?? null, 'cache_read_token'),
    cache_write: cached(usage?.cache_write ?? null, record?.cache_write ?? null, 'cache_write_token'),
  };
}

function inputOf(call: PaidCall): bigint | { lo: bigint; hi: bigint } | null {
  const known = call.row?.usage?.input ?? null;
  if (known !== null) return BigInt(known);
  return call.prompt_bytes === null
    ? null
    : { lo: 1n, hi: BigInt(call.prompt_bytes) + PROMPT_OVERHEAD_TOKENS };
}

/** An output limit in the request does not bind, so the most that the model can return is the bound. */
function outputBounds(context: JudgeContext, call: PaidCall, book: PriceBook): Quantity {
  const bound = context.plan?.cap.bounds.find(
    ({ model, kind }) => model === call.model && kind === call.kind,
  );
  const entry = book.models.find(({ model }) => model === call.model);
  const most = bound?.max_output_tokens ?? entry?.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const seen = (call.row?.out_chars ?? 0) > 0 || (call.row?.ttft_ms ?? null) !== null;
  return { lo: seen ? 1n : 0n, hi: BigInt(most) };
}

function unitFacts(call: PaidCall): ChargeFacts {
  const { units } = call;
  return {
    ...NO_FACTS,
    images: wholeUnits(units?.images ?? null),
    size: units?.size ?? null,
    quality: units?.quality ?? null,
    seconds: wholeUnits(units?.seconds ?? null),
    resolution: units?.resolution ?? null,
  };
}

/** A part of a second is priced by no book here: between both whole numbers around it. */
function wholeUnits(units: number | null): Quantity {
  if (units === null) return null;
  const lo = BigInt(Math.floor(units));
  return Number.isInteger(units) ? lo : { lo, hi: lo + 1n };
}
