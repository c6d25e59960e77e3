import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { WeighbridgeError } from '../../contracts/failure.ts';
import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Plan } from '../../core/plan.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { BUDGET_FILE } from '../../state/target-folder.ts';
import { jsonOf } from '../../text/json-of.ts';
import { budgetRefusal } from './budget-refusal.ts';
import { runningEngine } from './load-engine-mark.ts';
import { spentAtMost } from './spent-at-most.ts';

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
  const most = cap.max_spend_usd === null ? null : parseAmount(cap.max_spend_usd);
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
  plan: Pick<Plan, 'run_id' | 'cap'>,
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
  const spent = spentAtMost(await loadLedger(runDir), plan);
  if (spent === null) return 'its whole cap stays reserved: the ledger does not tell what was spent';
  const most = charged > spent ? charged : spent;
  // Before the settlement: of a crash between the two the reservation is still open.
  writeCounted(runDir, most);
  await budget.settle(id, most);
  return null;
}

/** What of a run stands in the budget of its target. */
const COUNTED = 'budget.json';
const counted = z.looseObject({ counted_usd: z.string() });
const judged = z.looseObject({ money: z.looseObject({ charged: z.string().nullable() }) });

function chargedIn(runDir: string): PicoUsd {
  const charged = read(join(runDir, 'result.json'), judged)?.money.charged ?? null;
  return (charged === null ? null : parseAmount(charged)) ?? 0n;
}

/** What of a run's cost stands in the budget; null for one of an earlier version, or one that was never settled. */
export function countedIn(runDir: string): PicoUsd | null {
  const usd = read(join(runDir, COUNTED), counted)?.counted_usd ?? null;
  return usd === null ? null : parseAmount(usd);
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
