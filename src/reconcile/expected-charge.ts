import type { PicoUsd } from '../core/amount.ts';
import { TEXT_KINDS } from '../core/call-kind.ts';
import { parseNumberText } from '../core/decimal.ts';
import type { Meter, PriceBook } from '../core/price-book.ts';
import type { ChargeLine } from '../core/reconciliation.ts';
import type { ChargeContext } from '../pricebook/charge-context.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from '../pricebook/charge-facts.ts';
import { evaluateCharge } from '../pricebook/evaluate-charge.ts';
import { entriesOf, pricesEndpoint } from '../pricebook/match-model.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../pricebook/price-bounds.ts';
import { isFigure, unprovedText, withinTrust } from './book-trust.ts';
import type { JudgeContext } from './judge-context.ts';
import type { PaidCall } from './paid-call.ts';
import { type FreeReason, freeReason, underPolicy } from './policy.ts';
import { pricedMoment } from './priced-moment.ts';
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
  /** Why nothing is due, where the call by itself would leave that open. */
  readonly free?: FreeReason;
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
  const free = freeReason(context, call);
  if (free !== null) return { lo: 0n, hi: 0n, zero_allowed: true, point: 0n, lines: [], facts: null, free };
  if (book === null)
    return { unknown: 'the price book of its pricing version was not archived', unpriced_model: false };
  const facts = factsOf(context, call, record, book);
  if (facts === null) return { unknown: 'the size of its prompt is not known', unpriced_model: false };
  const trust = context.shelf.trustOf(book, call.model, call.kind);
  if (trust.kind === 'unproved') return { unknown: unprovedText(trust), unpriced_model: false };
  const charge = evaluateCharge(book, facts, chargeContext(context, call));
  if ('unpriced' in charge) {
    return { unknown: charge.unpriced, unpriced_model: entriesOf(book, call.model).length === 0 };
  }
  const { lo, hi } = withinTrust(trust, charge);
  const certain = due === 'must';
  return underPolicy(context, call, {
    lo,
    hi,
    zero_allowed: !certain,
    point: certain && lo === hi ? lo : null,
    lines: charge.lines,
    facts,
  });
}

/** Which price of a book holds for a call. */
export function chargeContext(
  { terms }: Pick<JudgeContext, 'terms'>,
  { model, kind, row }: Pick<PaidCall, 'model' | 'kind' | 'row'>,
): ChargeContext {
  const tier = row?.service_tier ?? 'default';
  const when = tier === 'default' ? {} : { service_tier: tier };
  const at_s = pricedMoment(terms, row);
  return { model, endpoint: kind, at_s, when, group: terms.group, key_fp: row?.key_fp ?? null };
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
  const whole = context.settings.input_includes_cache === 'yes' ? input : input + cache_read + cache_write;
  const facts = { ...NO_FACTS, input: whole, output, cache_read, cache_write, images: 0n, tools: {} };
  const entries = entriesOf(book, model);
  // A record does not name its endpoint: the charge is known where all that price the model agree on it.
  const kinds = TEXT_KINDS.filter((kind) => entries.some((entry) => pricesEndpoint(entry, kind)));
  const trusts = kinds.map((kind) => context.shelf.trustOf(book, model, kind));
  // An amount that nothing is known to round is no figure to compare with.
  if (trusts.some((trust) => !isFigure(trust))) return null;
  const charges = kinds.map((kind) =>
    evaluateCharge(book, facts, chargeContext(context, { model, kind, row: null })),
  );
  const amounts = new Set(charges.map((charge) => ('unpriced' in charge ? null : charge.rounded)));
  const [amount] = amounts;
  return amounts.size === 1 ? (amount ?? null) : null;
}

function factsOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  book: PriceBook,
): ChargeFacts | null {
  if (!call.text) return unitFacts(call);
  const usage = call.row?.usage ?? null;
  const priced = pricedMeters(book, call.model);
  const complete = call.outcome === 'ok' && usage !== null;
  const upstream = complete ? null : (context.upstream.get(call.call_id) ?? null);
  const input = upstream === null ? inputOf(call) : BigInt(upstream.input);
  if (input === null) return null;
  const most = typeof input === 'bigint' ? input : input.hi;
  function cached(
    known: number | null,
    recorded: bigint | null,
    meter: 'cache_read_token' | 'cache_write_token',
  ): Quantity {
    if (known !== null) return BigInt(known);
    // A format that does not report cache tokens leaves them open only where the record says that there were some.
    const counted = complete || upstream !== null;
    if (!priced.has(meter) || (counted && (recorded ?? 0n) === 0n)) return 0n;
    return { lo: 0n, hi: most };
  }
  return {
    ...NO_FACTS,
    input,
    output:
      complete && usage.output !== null
        ? BigInt(usage.output)
        : upstream !== null
          ? BigInt(upstream.output)
          : outputBounds(context, call, book),
    cache_read: cached(usage?.cache_read ?? null, record?.cache_read ?? null, 'cache_read_token'),
    cache_write: cached(usage?.cache_write ?? null, record?.cache_write ?? null, 'cache_write_token'),
    reasoning: complete && usage.reasoning !== null ? BigInt(usage.reasoning) : null,
    images: 0n,
    tools: {},
  };
}

function pricedMeters(book: PriceBook, model: string): ReadonlySet<Meter> {
  return new Set(
    entriesOf(book, model)
      .flatMap(({ components, tiers }) => [
        ...components,
        ...(tiers?.thresholds ?? []).flatMap((threshold) => threshold.components),
      ])
      .map(({ meter }) => meter),
  );
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
  const limits = entriesOf(book, call.model).map(
    ({ max_output_tokens }) => max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
  );
  const most =
    bound?.max_output_tokens ?? Math.max(...(limits.length > 0 ? limits : [DEFAULT_MAX_OUTPUT_TOKENS]));
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
    seconds_exact: partSecond(units?.seconds ?? null),
    resolution: units?.resolution ?? null,
    tools: {},
  };
}

function partSecond(seconds: number | null): ChargeFacts['seconds_exact'] {
  return seconds === null || Number.isInteger(seconds) ? null : parseNumberText(String(seconds));
}

/** Few books say what a part of a second costs: between both whole numbers around it. */
function wholeUnits(units: number | null): Quantity {
  if (units === null) return null;
  const lo = BigInt(Math.floor(units));
  return Number.isInteger(units) ? lo : { lo, hi: lo + 1n };
}
