import type { ExchangeTimeouts } from '../../client/paid/call-alarms.ts';
import type { CallToSend } from '../../client/paid/paid-call.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { runCost } from '../forecast/run-cost.ts';
import type { DueRun } from '../schedule/due-run.ts';
import type { RunSpend } from '../view/probe-run.ts';
import type { LedgerDay } from './call-ledger.ts';
import { priceOfRow } from './price-of-row.ts';
import type { TargetMeans } from './target-means.ts';

/** What a paid run has before its call: money that is on the disk as spent. */
export interface Reserved {
  readonly id: string;
  readonly worst: PicoUsd;
  readonly book: PriceBook;
}

/** Null: no price bounds it, or a cap leaves no room, or it cannot be written down. Nothing was sent then. */
export async function reserve(means: TargetMeans, { id, probe }: DueRun): Promise<Reserved | null> {
  const book = await means.book.inForce();
  const cost = book === null ? null : runCost(book, probe);
  if (book === null || cost === null || means.budget === null) return null;
  if (!(await means.budget.reserve(id, cost.worst))) return null;
  means.reserved(probe, cost.worst);
  return { id, worst: cost.worst, book };
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
