import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import type { Meter, PriceBook } from '../../contracts/price-book.ts';
import type { ChargeLine, PriceGrade } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { type PaidKind, TEXT_KINDS } from '../../core/call-kind.ts';
import { parseNumberText } from '../../core/decimal.ts';
import type { Rational } from '../../core/rational.ts';
import type { ChargeContext } from '../../pricebook/charge/charge-context.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from '../../pricebook/charge/charge-facts.ts';
import type { Charge } from '../../pricebook/charge/charge-result.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../../pricebook/charge/price-bounds.ts';
import { needsUnrecordedFacts } from '../../pricebook/charge/unrecorded-facts.ts';
import { type CellTrust, isFigure, unlikeText, unprovedText, withinTrust } from '../books/book-trust.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { type RecordDue, recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { UpstreamCall } from '../records/upstream-calls.ts';
import type { BillingSettings } from './billing-settings.ts';
import { chargeOf, overlaps } from './charge.ts';
import type { JudgeContext } from './judge-context.ts';
import { ofModel } from './of-model.ts';
import { type FreeReason, freeReason, underPolicy } from './policy.ts';
import { pricedMoment } from './priced-moment.ts';
import { ANY_CHARGE, ANY_UNITS, type UntoldCharge, untoldCharge } from './untold-charge.ts';

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
  /** How the price is known, its tier and the charge before its last rounding; absent where no price was asked. */
  readonly grade?: PriceGrade;
  readonly tier?: string | null;
  readonly exact?: Rational | null;
  /** The gateway behind the target counted what the client could not: where both ends meet, the charge is known. */
  readonly upstream?: true;
}

export type Expectation = Expected | UnknownCharge;

interface UnknownCharge {
  /** Why. */
  readonly unknown: string;
  readonly unpriced_model: boolean;
  /** What may be due, where a log of the calls would tell what is; records alone never do. */
  readonly untold?: UntoldCharge;
}

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
  if (isCreditAlone(call, record))
    return { unknown: 'it is a credit, and nothing tells whose charge it lowers', unpriced_model: false };
  if (book === null) return { unknown: noBookText(context, record), unpriced_model: false };
  const facts = factsOf(context, call, record, book);
  if (facts === null) return { unknown: 'the size of its prompt is not known', unpriced_model: false };
  const trust = context.shelf.trustOf(book, call.model, call.kind);
  const by = chargeContext(context, call);
  const untold = isRecordCall(call.call_id)
    ? untoldCharge(book, facts, by, (each) => withinTrust(trust, each))
    : null;
  if (untold !== null && !call.text) return untoldUnits(call, trust, untold);
  if (trust.kind === 'unproved') return { unknown: unprovedText(trust), unpriced_model: false };
  const charge = evaluateCharge(book, facts, by);
  if ('unpriced' in charge) {
    return isRecordCall(call.call_id) && facts.tools === null && charge.why === 'units'
      ? { unknown: `${WITHOUT_A_LOG}: ${charge.unpriced}`, unpriced_model: false, untold: ANY_CHARGE }
      : { unknown: charge.unpriced, unpriced_model: entriesOf(book, call.model).length === 0 };
  }
  if (untold !== null && isPossible(context, record, untold)) return ofAnyTier(charge, due, untold);
  const { lo, hi } = withinTrust(trust, charge);
  // Prices that come from the charges may bear one of them out, and accuse none.
  if (trust.kind === 'inferred' && !isBorneOut(context, record, charge))
    return { unknown: unlikeText(trust), unpriced_model: false };
  const whole = due === 'must' || isMadeAndCharged(context, call, record);
  const certain = whole && trust.kind !== 'inferred';
  return underPolicy(context, call, {
    lo,
    hi,
    zero_allowed: due !== 'must',
    point: certain && lo === hi ? lo : null,
    lines: charge.lines,
    facts,
    grade: charge.grade,
    tier: charge.tier,
    exact: charge.exact,
    ...(upstreamOf(context, call) === null ? {} : { upstream: true as const }),
  });
}

/** Less than nothing is charged by records alone: whatever was bought, no price is due of it. */
function isCreditAlone({ call_id }: PaidCall, record: ServedRecord | null): boolean {
  return isRecordCall(call_id) && (record?.amount.exact ?? 0n) < 0n;
}

/** A record counts neither images nor seconds: its charge may be any number of them at any price line. */
function untoldUnits(call: PaidCall, trust: CellTrust, untold: UntoldCharge): UnknownCharge {
  const what =
    call.kind === 'video'
      ? 'neither seconds nor resolution of a video'
      : 'neither number, size nor quality of images';
  const told = trust.kind === 'full' || trust.kind === 'undeclared';
  return {
    unknown: `${WITHOUT_A_LOG}: a record tells ${what}`,
    unpriced_model: false,
    // A book that is not trusted bounds no charge; of a task that never ended well, any part may be due.
    untold: told && recordDue(call) === 'must' ? untold : ANY_CHARGE,
  };
}

/** A record does not name its tier of service: the price of each may be right. */
function ofAnyTier(charge: Charge, due: RecordDue, { lo, hi }: UntoldCharge): Expected {
  return {
    ...{ lo, hi: hi ?? charge.hi, zero_allowed: due !== 'must', point: null },
    ...{ lines: [], facts: null, grade: charge.grade },
  };
}

function isPossible({ settings }: JudgeContext, record: ServedRecord | null, untold: UntoldCharge): boolean {
  const charge = record === null ? null : chargeOf(record, settings);
  return charge !== null && untold.isPossible(charge);
}

/** What could not be downloaded was made: whoever charges it charges its price, and who does not charges nothing. */
function isMadeAndCharged({ settings }: JudgeContext, call: PaidCall, record: ServedRecord | null): boolean {
  const charge = record === null ? null : chargeOf(record, settings);
  return call.row?.error_type === 'download_failed' && charge !== null && charge.hi > 0n;
}

function noBookText({ shelf }: JudgeContext, record: ServedRecord | null): string {
  const isKept = record !== null && shelf.find(record.pricebook_id, record.pricing_version) !== null;
  return isKept
    ? 'the prices changed between two reads of the book, and no read tells which were in force'
    : 'the price book of its pricing version was not archived';
}

function isBorneOut(
  { settings }: JudgeContext,
  record: ServedRecord | null,
  bounds: Pick<Expected, 'lo' | 'hi'>,
): boolean {
  const charge = record?.role === 'settled' ? chargeOf(record, settings) : null;
  return charge !== null && overlaps(charge, bounds);
}

/** The count of the gateway behind the target, for a call that has no final usage of its own. */
function upstreamOf(
  { upstream }: JudgeContext,
  { call_id, text, outcome, row }: PaidCall,
): UpstreamCall | null {
  if (!text || (outcome === 'ok' && (row?.usage ?? null) !== null)) return null;
  return upstream.get(call_id) ?? null;
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
  const facts = recordTokens(context.settings, record);
  if (facts === null) return null;
  // What it counts as input has then no one meaning.
  if (context.settings.input_open && (record.cache_read ?? 0n) + (record.cache_write ?? 0n) > 0n) return null;
  const { untold, kinds } = recordPricing(book, model);
  // What the record does not tell may have cost more.
  if (untold) return null;
  // An amount that nothing is known to round is no figure to compare with.
  if (kinds.some((kind) => !isFigure(context.shelf.trustOf(book, model, kind)))) return null;
  let amount: PicoUsd | null | undefined;
  for (const kind of kinds) {
    const charge = evaluateCharge(book, facts, chargeContext(context, { model, kind, row: null }));
    const rounded = 'unpriced' in charge ? null : charge.rounded;
    if (rounded === null || (amount !== undefined && rounded !== amount)) return null;
    amount = rounded;
  }
  return amount ?? null;
}

/** What a record itself counts; null where it does not tell all of it. */
export function recordTokens(
  { input_includes_cache }: BillingSettings,
  { input, output, cache_read, cache_write }: ServedRecord,
): ChargeFacts | null {
  if (input === null || output === null || cache_read === null || cache_write === null) return null;
  if (input < 0n || output < 0n || cache_read < 0n || cache_write < 0n) return null;
  const whole = input_includes_cache === 'yes' ? input : input + cache_read + cache_write;
  return { ...NO_FACTS, input: whole, output, cache_read, cache_write, images: 0n, tools: {} };
}

interface RecordPricing {
  readonly untold: boolean;
  /**
   * A record does not name its endpoint: its charge is known where all kinds that price the model agree on it. Kinds
   * that the book does not tell apart are one.
   */
  readonly kinds: readonly PaidKind[];
}

const recordPricings = new WeakMap<PriceBook, Map<string, RecordPricing>>();

function recordPricing(book: PriceBook, model: string): RecordPricing {
  return ofModel(recordPricings, book, model, () => {
    const entries = entriesOf(book, model);
    const kinds = TEXT_KINDS.filter((kind) => entries.some((entry) => pricesEndpoint(entry, kind)));
    return { untold: needsUnrecordedFacts(book, model), kinds };
  });
}

/** What a call's price depends on, as far as the client, or the gateway behind the target, tells. */
export function factsOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  book: PriceBook,
): ChargeFacts | null {
  if (!call.text) {
    return isRecordCall(call.call_id) ? factsOfMedia(context, call, record, book) : unitFacts(call);
  }
  const usage = call.row?.usage ?? null;
  const priced = pricedMeters(book, call.model);
  const complete = call.outcome === 'ok' && usage !== null;
  const upstream = upstreamOf(context, call);
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
    tools: toolsOf(call, priced),
  };
}

/** Calls of the target's own tools, as its answer shows them; a record does not, and none is asked for by default. */
function toolsOf(
  { row, call_id }: Pick<PaidCall, 'row' | 'call_id'>,
  priced: ReadonlySet<Meter>,
): ChargeFacts['tools'] {
  const shown = row?.tools ?? null;
  if (shown !== null)
    return Object.fromEntries(Object.entries(shown).map(([name, count]) => [name, BigInt(count)]));
  return isRecordCall(call_id) && priced.has('tool_call') ? null : {};
}

const meters = new WeakMap<PriceBook, Map<string, ReadonlySet<Meter>>>();

function pricedMeters(book: PriceBook, model: string): ReadonlySet<Meter> {
  return ofModel(meters, book, model, () => {
    const components = entriesOf(book, model).flatMap(({ components: base, tiers }) => [
      ...base,
      ...(tiers?.thresholds ?? []).flatMap((threshold) => threshold.components),
    ]);
    return new Set(components.map(({ meter }) => meter));
  });
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

/** What a record tells of images or a video: its tokens. */
function factsOfMedia(
  { settings }: JudgeContext,
  { call_id, model, row }: PaidCall,
  record: ServedRecord | null,
  book: PriceBook,
): ChargeFacts {
  const tokens = record === null ? null : recordTokens(settings, record);
  const tools = toolsOf({ call_id, row }, pricedMeters(book, model));
  return { ...(tokens ?? NO_FACTS), images: ANY_UNITS, seconds: ANY_UNITS, tools };
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
