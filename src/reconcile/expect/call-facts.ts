import type { CallUsage } from '../../contracts/ledger-lines.ts';
import type { Meter, PriceBook } from '../../contracts/price-book.ts';
import { parseNumberText } from '../../core/decimal.ts';
import { EVIDENCE_RUN } from '../../ledger/evidence/evidence-call.ts';
import type { ChargeContext } from '../../pricebook/charge/charge-context.ts';
import {
  type ChargeFacts,
  NO_FACTS,
  type Quantity,
  type UnitSpan,
} from '../../pricebook/charge/charge-facts.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../../pricebook/charge/price-bounds.ts';
import { reasoningOf } from '../../pricebook/charge/token-groups.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { CountedUpstream } from '../records/upstream-calls.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { JudgeContext } from './judge-context.ts';
import { ofModel } from './of-model.ts';
import { pricedMoment } from './priced-moment.ts';
import { wholesByRecord } from './told-output.ts';
import { ANY_UNITS } from './untold-charge.ts';

/** Tokens that a gateway's prompt template may add to a prompt of known bytes; a token is at least one byte. */
const PROMPT_OVERHEAD_TOKENS = 1_024n;

/** The count of the gateway behind the target, for a call that has no final usage of its own. */
export function upstreamOf(
  { upstream }: JudgeContext,
  { call_id, text, outcome, row }: PaidCall,
): CountedUpstream | null {
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
  const input = upstream === null ? (inputOf(call) ?? countedInput(record)) : BigInt(upstream.input);
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
      call.kind === 'embedding'
        ? 0n
        : complete && usage.output !== null
          ? outputOf(book, call, usage, record)
          : upstream !== null
            ? BigInt(upstream.output)
            : outputBounds(context, call, book),
    cache_read: cached(usage?.cache_read ?? null, record?.cache_read ?? null, 'cache_read_token'),
    cache_write: cached(usage?.cache_write ?? null, record?.cache_write ?? null, 'cache_write_token'),
    reasoning: complete
      ? reasoningOfAnswer(book, call.model, usage, record)
      : upstream === null
        ? reasoningBounds(context, call, book, priced)
        : null,
    images: 0n,
    tools: toolsOf(call, priced),
  };
}

/** Output tokens as the book prices them: without the reasoning that it charges beside them. */
function outputOf(
  book: PriceBook,
  { model }: PaidCall,
  usage: CallUsage,
  record: ServedRecord | null,
): Quantity {
  const isBeside = chargesBeside(book, model);
  const holds = isBeside ? 'no' : book.usage_semantics.output_includes_reasoning;
  const apart = isBeside ? (reasoningOfAnswer(book, model, usage, record) ?? 0n) : 0n;
  const wholes = wholesByRecord(usage, holds, record?.output ?? null);
  const [lo = 0n, hi = lo] = wholes.map((whole) => (whole > apart ? whole - apart : 0n));
  return lo === hi ? lo : { lo, hi };
}

/** Reasoning as the answer tells it; of one that does not, what its record leaves out where the book tells that it does. */
function reasoningOfAnswer(
  book: PriceBook,
  model: string,
  { output, reasoning }: CallUsage,
  record: ServedRecord | null,
): bigint | null {
  if (reasoning !== null) return BigInt(reasoning);
  const recorded = record?.output ?? null;
  if (output === null || recorded === null || !chargesBeside(book, model)) return null;
  const left = BigInt(output) - recorded;
  return left < 0n ? null : left;
}

/** Whether all prices of the model charge reasoning beside the output. */
function chargesBeside(book: PriceBook, model: string): boolean {
  return entriesOf(book, model).every((entry) => reasoningOf(book, entry).additive);
}

/** Calls of the target's own tools, as its answer shows them; a record does not, nor need the ledger of another program. */
function toolsOf({ row }: Pick<PaidCall, 'row'>, priced: ReadonlySet<Meter>): ChargeFacts['tools'] {
  const shown = row?.tools ?? null;
  if (shown !== null)
    return Object.fromEntries(Object.entries(shown).map(([name, count]) => [name, BigInt(count)]));
  return row?.run_id === EVIDENCE_RUN && priced.has('tool_call') ? null : {};
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

/** Where nobody tells the prompt's size: no charge is for more of it than its record counts. */
function countedInput(record: ServedRecord | null): { lo: bigint; hi: bigint } | null {
  const { input = null, cache_read = null, cache_write = null } = record ?? {};
  if (input === null || input < 1n) return null;
  return { lo: 1n, hi: input + (cache_read ?? 0n) + (cache_write ?? 0n) };
}

/** An output limit in the request does not bind, so the most that the model can return is the bound. */
function outputBounds(context: JudgeContext, call: PaidCall, book: PriceBook): UnitSpan {
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

/** The longest answer holds its reasoning, too. */
function reasoningBounds(
  context: JudgeContext,
  call: PaidCall,
  book: PriceBook,
  priced: ReadonlySet<Meter>,
): Quantity {
  return priced.has('reasoning_token') ? { lo: 0n, hi: outputBounds(context, call, book).hi } : 0n;
}

/** What a record tells of images or a video: its tokens. */
function factsOfMedia(
  { settings }: JudgeContext,
  { model, row }: PaidCall,
  record: ServedRecord | null,
  book: PriceBook,
): ChargeFacts {
  const tokens = record === null ? null : recordTokens(settings, record);
  const tools = toolsOf({ row }, pricedMeters(book, model));
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
