import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod, periodAt } from '../../core/budget-period.ts';
import { formatInstant, parseInstant } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { type LoadedLedger, loadLedger } from '../../ledger/load-ledger.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { runningEngine } from '../../state/running-mark.ts';
import { BUDGET_FILE } from '../../state/target-folder.ts';
import { andList } from '../../text/and-list.ts';
import { jsonOf } from '../../text/json-of.ts';
import { plural } from '../../text/plural.ts';
import { ledgerEnds } from '../judge/ledger-ends.ts';
import { heldOf } from './trial-spend.ts';

/** What a run may take of the budget of its target. */
export interface RunBudget {
  /** `<state>/<target>`; null for the embedded gateway, which costs nothing. */
  readonly home: string | null;
  /** Null: it is only written down what is spent. */
  readonly limits: BudgetLimits | null;
}

/**
 * Puts the whole cap of a run on the disk as spent, before anything is sent. Throws `budget_exhausted` (exit 6), and what
 * keeps the budget from being written.
 */
export async function reserveRun(
  { home, limits }: RunBudget,
  { run_id, cap, target }: Pick<Plan, 'run_id' | 'cap' | 'target'>,
  now_ms: () => number = Date.now,
): Promise<void> {
  const most = parseAmount(cap.max_spend_usd);
  if (home === null || most === null) return;
  const failures: WeighbridgeError[] = [];
  const budget = await TargetBudget.open(
    join(home, BUDGET_FILE),
    limits,
    { now_ms },
    {
      writeFailed: (error) => failures.push(error),
    },
  );
  if (await budget.reserve(reservationOf(run_id), most)) return;
  throw failures[0] ?? budgetRefusal({ target: target.name, most, limits, budget, now_ms: now_ms() });
}

/**
 * Puts what the run has cost at most in the place of its cap: by its ledger, or what its records charge where that is more.
 * What later records charge beyond it is added when a verdict shows it. Where the ledger does not tell, or the load engine of
 * a killed run still runs, the whole cap stays, and the words for that are given.
 */
export async function settleReservation(
  home: string | null,
  runDir: string,
  plan: Settled,
): Promise<string | null> {
  if (home === null || !existsSync(join(home, BUDGET_FILE))) return null;
  const budget = await TargetBudget.open(join(home, BUDGET_FILE), null, { now_ms: Date.now });
  const id = reservationOf(plan.run_id);
  const charged = chargedIn(runDir);
  if (!budget.open().some((open) => open.id === id)) {
    const counted = countedIn(runDir);
    if (counted === null || charged <= counted) return null;
    await budget.add(`${id}/beyond`, charged - counted);
    writeCounted(runDir, charged);
    return null;
  }
  const engine = runningEngine(home);
  if (engine?.run_id === plan.run_id)
    return `its whole cap stays reserved: its load engine has not ended: ${engine.words}`;
  const ledger = await loadLedger(runDir);
  const elsewhere = mayRunElsewhere(ledger, plan, Date.now());
  if (elsewhere !== null) return `its whole cap stays reserved: ${elsewhere}`;
  const spent = spentAtMost(ledger, plan);
  if (spent === null) return 'its whole cap stays reserved: the ledger does not tell what was spent';
  const most = charged > spent ? charged : spent;
  // Before the settlement: of a crash between the two the reservation is still open.
  writeCounted(runDir, most);
  await budget.settle(id, most);
  return null;
}

type Settled = Pick<Plan, 'run_id' | 'cap'> & Partial<Pick<Plan, 'instances' | 'workload'>>;

/** Clocks of two machines, and the end of a k6 that is cut. */
const END_MARGIN_MS = 60_000;

/**
 * Of a plan for several k6: a ledger that was not closed is of one that was killed, or one that goes on. Nothing tells them
 * apart but the time that the plan lasts. Null where none can run.
 */
export function mayRunElsewhere(
  ledger: Ledger,
  { instances, workload }: Pick<Settled, 'instances' | 'workload'>,
  now_ms: number,
): string | null {
  if (instances === undefined || workload === undefined) return null;
  const { unclosed } = ledgerEnds({ ...ledger, text_files: [], unknown_lines: 0 });
  const seen = [
    ...ledger.headers.map(({ instance, clock }) => ({ instance, at: clock.wall })),
    ...ledger.states,
  ].flatMap(({ instance, at }) => (unclosed.includes(instance) ? (parseInstant(at) ?? []) : []));
  const last = seen.reduce((most, at) => Math.max(most, at), 0);
  const until = last + workload.duration_ms + workload.drain_ms + END_MARGIN_MS;
  if (unclosed.length === 0 || now_ms > until) return null;
  return `the ledger of ${andList(unclosed)} was not closed, and a k6 of this plan may run until ${formatInstant(until)}`;
}

/** What of a run stands in the budget of its target. */
const COUNTED = 'budget.json';
const counted = z.looseObject({ counted_usd: z.string() });
const judged = z.looseObject({ money: z.looseObject({ charged: z.string().nullable() }) });

function chargedIn(runDir: string): PicoUsd {
  return parseAmount(read(join(runDir, 'result.json'), judged)?.money.charged) ?? 0n;
}

/** What of a run's cost stands in the budget; null for one of an earlier version, or one that was never settled. */
function countedIn(runDir: string): PicoUsd | null {
  return parseAmount(read(join(runDir, COUNTED), counted)?.counted_usd);
}

function writeCounted(runDir: string, amount: PicoUsd): void {
  replaceFile(join(runDir, COUNTED), `${JSON.stringify({ counted_usd: formatAmount(amount) })}\n`);
}

function read<T>(path: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null;
  return schema.safeParse(jsonOf(readFileSync(path, 'utf8'))).data ?? null;
}

function reservationOf(runId: string): string {
  return RUN_PREFIX + runId;
}

const RUN_PREFIX = 'run/';

/** The run that a reservation is of; null for one of a probe. */
export function reservedRun(reservation: string): string | null {
  return reservation.startsWith(RUN_PREFIX) ? reservation.slice(RUN_PREFIX.length) : null;
}

type Ledger = Pick<LoadedLedger, 'headers' | 'intents' | 'rows' | 'states' | 'problems'>;

/**
 * The most that the calls of a ledger have cost; null where that is not known. A load engine that ended in order tells
 * what it still held of its cap. Of a killed one each call counts at its worst case, unless its row says less.
 */
export function spentAtMost(ledger: Ledger, { cap }: Pick<Plan, 'cap'>): PicoUsd | null {
  const { unclosed, gaps } = ledgerEnds({ ...ledger, text_files: [], unknown_lines: 0 });
  // An intent may stand on a line that cannot be read.
  if (gaps.length > 0) return null;
  let sum: PicoUsd | null = 0n;
  for (const instance of new Set(ledger.headers.map((header) => header.instance))) {
    const spent = unclosed.includes(instance) ? ofIntents(ledger, cap, instance) : ofStates(ledger, instance);
    sum = sum === null || spent === null ? null : sum + spent;
  }
  return sum;
}

function ofStates({ states }: Ledger, instance: string): PicoUsd | null {
  return parseAmount(states.findLast((state) => state.instance === instance)?.reserved_usd);
}

function ofIntents({ intents, rows }: Ledger, cap: Plan['cap'], instance: string): PicoUsd | null {
  const rowOf = new Map(rows.map((row) => [row.call_id, row]));
  let sum = 0n;
  for (const intent of intents.filter((each) => each.instance === instance)) {
    const worst = parseAmount(intent.worst_case_usd);
    if (worst === null) return null;
    const row = rowOf.get(intent.call_id);
    sum += row === undefined ? worst : heldOf(cap, row);
  }
  return sum;
}

/** What a run that did not come to its end has sent, and paid for it at most; once its reservation is settled. */
export async function paidWords(
  runDir: string,
  { run_id, cap }: Pick<Plan, 'run_id' | 'cap'>,
): Promise<string> {
  const { intents, rows } = await loadLedger(runDir);
  const unsent = new Set(rows.flatMap(({ outcome, call_id }) => (outcome === 'not_sent' ? [call_id] : [])));
  const sent = intents.filter(({ call_id }) => !unsent.has(call_id)).length;
  const counted = countedIn(runDir);
  const most = counted === null ? `the whole cap of $${cap.max_spend_usd}` : `$${formatAmount(counted)}`;
  const what =
    sent === 0
      ? 'no call was sent'
      : `${plural(sent, 'call was', 'calls were')} sent, which cost at most ${most}`;
  return `paid: ${what}; run ${run_id} in ${runDir}`;
}

interface Refused {
  readonly target: string;
  /** The cap of the run. */
  readonly most: PicoUsd;
  readonly limits: BudgetLimits | null;
  readonly budget: TargetBudget;
  readonly now_ms: number;
}

/** `budget_exhausted`: what is left in each period, what is held, and when the cap that is in the way frees. */
function budgetRefusal({ target, most, limits, budget, now_ms }: Refused): WeighbridgeError {
  const rooms = limits === null ? [] : roomsIn(limits, budget);
  const open = budget.open().reduce((sum, { worst }) => sum + worst, 0n);
  const held = open === 0n ? '' : ` Runs that are not settled reserve ${usd(open)}.`;
  return new WeighbridgeError({
    code: 'budget_exhausted',
    message: `The budget of ${target} has no room for ${usd(most)}. ${leftWords(rooms)}.${held} No call was sent.`,
    hint: hintOf(most, rooms, budget.clockBehindMs(), now_ms),
  });
}

interface Room {
  readonly period: BudgetPeriod;
  readonly limit: PicoUsd;
  /** Null where nobody can say what the period has cost. */
  readonly left: PicoUsd | null;
}

function roomsIn(limits: BudgetLimits, budget: TargetBudget): readonly Room[] {
  const spent = budget.spent();
  return BUDGET_PERIODS.flatMap((period) => {
    const limit = limits[period];
    return limit === null ? [] : [{ period, limit, left: leftOf(limit, spent[period]) }];
  });
}

function leftOf(limit: PicoUsd, spent: PicoUsd | null): PicoUsd | null {
  if (spent === null) return null;
  return limit > spent ? limit - spent : 0n;
}

function leftWords(rooms: readonly Room[]): string {
  const words = rooms.map(
    ({ period, limit, left }, index) =>
      `${left === null ? 'an unknown part' : usd(left)} of ${usd(limit)} ${index === 0 ? 'is left ' : ''}in this ${period}`,
  );
  return words.length === 0 ? 'It has no limits' : `${andList(words)} (UTC)`;
}

function hintOf(most: PicoUsd, rooms: readonly Room[], behind_ms: number, now_ms: number): string {
  if (rooms.some(({ limit }) => most > limit))
    return 'The cap of the run is larger than the budget. Lower --max-spend-usd, or raise the budget in the configuration.';
  const full = rooms.findLast(({ left }) => left === null || most > left);
  if (full === undefined || behind_ms > 0)
    return 'The clock of this machine is earlier than the last spending. Set the clock right.';
  const frees = formatInstant(periodAt(full.period, now_ms).end_ms);
  if (full.left === null)
    return `An earlier version did not store all hours of this ${full.period}. Wait until ${frees}, or remove usd_per_month until then.`;
  return `Wait until ${frees}, or lower --max-spend-usd. If a run was killed, \`weighbridge reconcile --run ID\` frees its reserve at no cost.`;
}

function usd(amount: PicoUsd): string {
  return `$${formatAmount(amount)}`;
}
