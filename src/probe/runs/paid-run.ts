import type { ExchangeTimeouts } from '../../client/paid/call-alarms.ts';
import type { CallToSend } from '../../client/paid/paid-call.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { billedOutcome } from '../../contracts/outcome.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { isPaidKind, isTextKind, type TextKind } from '../../core/call-kind.ts';
import { parseInstant } from '../../core/time.ts';
import { type ChargeFacts, NO_FACTS, type Quantity } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { runCost } from '../forecast/run-cost.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { RunSpend } from '../view/probe-run.ts';
import type { LedgerDay } from './call-ledger.ts';
import { endedRun, saidOfCall, startNow } from './report-run.ts';
import { INTERRUPTED, NOT_RESERVED, type RunOutcome } from './run-outcome.ts';
import type { TargetMeans } from './target-means.ts';

/** What a paid run has before its call: money that is on the disk as spent. */
export interface Reserved {
  readonly id: string;
  readonly worst: PicoUsd;
  /** Null where no list could be read, and the worst case is assumed. */
  readonly book: PriceBook | null;
}

/** Sets the worst case aside, by the price list or as assumed; an outcome where nothing may be sent. */
export async function reserve(
  means: TargetMeans,
  { id, probe }: DueRun,
): Promise<{ readonly reserved: Reserved } | { readonly refused: RunOutcome }> {
  const book = await means.book.inForce();
  const cost = book === null ? null : runCost(book, probe);
  const worst = cost?.worst ?? means.target().assumed_run_usd;
  if (worst === null) return { refused: NOT_RESERVED.no_price };
  // A cap leaves no room, or the disk takes no reserve.
  if (means.budget === null || !(await means.budget.reserve(id, worst)))
    return { refused: NOT_RESERVED.no_room };
  means.reserved(probe, worst, cost === null ? 'assumed' : 'known');
  return { reserved: { id, worst, book } };
}

/** Nothing is sent unless the ledger holds its intent: what cannot be written is settled as nothing. */
export async function intendCall(
  means: TargetMeans,
  reserved: Reserved,
  day: LedgerDay,
  call: CallToSend,
): Promise<void> {
  try {
    day.intent(day.client.intent(call));
  } catch (error) {
    await means.budget?.settle(reserved.id, 0n);
    throw error;
  }
}

/** Settles what the row proves, else what was reserved. */
export async function settleRow(
  means: TargetMeans,
  { id, worst, book }: Reserved,
  row: CallRow,
): Promise<RunSpend> {
  const priced = priceOfRow(book, row, means.book.group);
  if (priced === null) await means.budget?.settleAtWorst(id);
  else await means.budget?.settle(id, priced);
  return { reserved: worst, priced };
}

/** All that paid calls of a probe have in common. */
export function callOf(probe: Probe, day: LedgerDay, worst: PicoUsd) {
  return {
    name: { scenario: probe.name, n: day.number(probe.name), turn: null },
    model: probe.model ?? '',
    prompt: probe.prompt ?? '',
    ...(probe.cached === true ? { cached: true as const } : {}),
    timeouts: timeoutsOf(probe),
    worst_case_usd: formatAmount(worst),
  } as const;
}

/** One limit holds for the whole call; a connection gets 10 s of it at most. */
export function timeoutsOf({ timeout_ms }: Pick<Probe, 'timeout_ms'>): ExchangeTimeouts {
  return {
    connect_ms: Math.min(10_000, timeout_ms),
    headers_ms: 0,
    first_token_ms: 0,
    idle_ms: 0,
    total_ms: timeout_ms,
  };
}

/** A text call of any format, streamed or not. */
export async function textRun(means: TargetMeans, due: DueRun, kind: TextKind): Promise<RunOutcome> {
  const asked = await reserve(means, due);
  if ('refused' in asked) return asked.refused;
  const { reserved } = asked;
  const day = means.ledger.today();
  const { stream, max_tokens } = due.probe;
  const call = {
    ...callOf(due.probe, day, reserved.worst),
    kind,
    stream,
    max_tokens,
    auth: 'bearer',
  } as const;
  await intendCall(means, reserved, day, call);
  const start = startNow(means);
  const result = await day.client.text(call, due.signal);
  const { row, since_sent, stream_events, broken_rules } = result;
  means.ledger.rows([row]);
  const spend = await settleRow(means, reserved, row);
  if (row.outcome === 'interrupted') return INTERRUPTED;
  const expected = stream ? 'a stream with text and its own ending' : 'an answer with text';
  const said = { ...saidOfCall(result, [row], expected, spend), duration_ms: row.end_ms };
  const facts = {
    first_event_ms: since_sent.first_event,
    first_content_ms: since_sent.first_content,
    last_content_ms: since_sent.last_content,
    max_gap_ms: row.max_gap_ms,
    events: stream_events,
  };
  return endedRun(means, due, start, said, { broken_rules, stream: stream ? facts : null });
}

/** A picture at once, whose bytes are checked. */
export async function imageRun(
  means: TargetMeans,
  due: DueRun,
  kind: 'image' | 'image_edit',
): Promise<RunOutcome> {
  const asked = await reserve(means, due);
  if ('refused' in asked) return asked.refused;
  const { reserved } = asked;
  const day = means.ledger.today();
  const { size, quality } = due.probe;
  const shape = { kind, size, quality, response_format: null, multipart: kind === 'image_edit' } as const;
  const call = { ...callOf(due.probe, day, reserved.worst), ...shape };
  await intendCall(means, reserved, day, call);
  const start = startNow(means);
  const result = await day.client.image(call, due.signal);
  const rows = [result.row, ...result.free_rows];
  means.ledger.rows(rows);
  const spend = await settleRow(means, reserved, result.row);
  if (rows.some(({ outcome }) => outcome === 'interrupted')) return INTERRUPTED;
  const { broken_rules, content } = result;
  const said = saidOfCall(result, rows, 'a whole picture', spend);
  return endedRun(means, due, start, said, { broken_rules, content_bytes: content?.bytes ?? null });
}

/** Statuses with which the interface says that nothing was generated (docs/spend.md). */
const NOTHING_DONE: readonly number[] = [400, 401, 402, 403, 404, 413, 422, 429];

/**
 * What a paid call cost by the book and the units that it told, the most where they leave it open; null where nothing proves
 * it: the reserve stays then.
 */
export function priceOfRow(book: PriceBook | null, row: CallRow, group: string | null): PicoUsd | null {
  if (neverCharged(row)) return 0n;
  if (book === null || billedOutcome(row) !== 'ok' || row.model === null || !isPaidKind(row.kind))
    return null;
  const facts = isTextKind(row.kind) ? textFacts(row) : unitFacts(row);
  if (facts === null) return null;
  const ms = parseInstant(row.started_at);
  const tier = row.service_tier ?? 'default';
  const charge = evaluateCharge(book, facts, {
    model: row.model,
    endpoint: row.kind,
    at_s: ms === null ? null : ms / 1000,
    when: tier === 'default' ? {} : { service_tier: tier },
    group,
    key_fp: row.key_fp,
  });
  return 'unpriced' in charge ? null : charge.hi;
}

/** Refused, or never had a connection. */
function neverCharged({ outcome, status, conn_reused }: CallRow): boolean {
  if (outcome === 'http_error') return status !== null && NOTHING_DONE.includes(status);
  return conn_reused === null && status === null;
}

function textFacts({ usage, tools }: CallRow): ChargeFacts | null {
  const input = usage?.input ?? null;
  const output = usage?.output ?? null;
  if (usage === null || input === null || output === null) return null;
  return {
    ...NO_FACTS,
    input: BigInt(input),
    output: BigInt(output),
    // What a format does not tell of the cache is taken as none: the dearer reading of input.
    cache_read: BigInt(usage.cache_read ?? 0),
    cache_write: BigInt(usage.cache_write ?? 0),
    reasoning: counted(usage.reasoning),
    images: 0n,
    tools: Object.fromEntries(Object.entries(tools ?? {}).map(([name, count]) => [name, BigInt(count)])),
  };
}

function unitFacts({ units }: CallRow): ChargeFacts {
  const { images, size, quality, seconds, resolution } = units ?? NO_UNITS;
  return {
    ...NO_FACTS,
    images: counted(images),
    size,
    quality,
    seconds: seconds === null ? null : BigInt(Math.ceil(seconds)),
    resolution,
    tools: {},
  };
}

const NO_UNITS = { images: null, size: null, quality: null, seconds: null, resolution: null };

function counted(count: number | null): Quantity {
  return count === null ? null : BigInt(count);
}
