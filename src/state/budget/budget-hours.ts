import type { PicoUsd } from '../../core/amount.ts';
import { type BudgetPeriod, byPeriod, periodAt } from '../../core/budget-period.ts';
import type { BudgetLine } from './budget-line.ts';

const HOUR_MS = 3_600_000;

/** Worst cases that are not settled yet, among them those that a crash left. */
export interface OpenReservation {
  readonly id: string;
  readonly worst: PicoUsd;
  readonly at_ms: number;
}

/** What counts against the cap of each period that is under way; null where hours of it were forgotten. */
export type PeriodSpend = Readonly<Record<BudgetPeriod, PicoUsd | null>>;

/**
 * What was spent in which UTC hour: settled amounts, and open reservations at their worst case, both in the hour of the
 * reservation. A clock that went back frees nothing: what stands in later hours counts in the earlier one as well.
 */
export class BudgetHours {
  readonly #settled = new Map<number, PicoUsd>();
  readonly #open = new Map<string, OpenReservation>();
  /** The hours before it are forgotten. */
  #floor = Number.NEGATIVE_INFINITY;

  /** Takes a line that came before, too: one that waited while a compaction was made stands in the file twice. */
  apply(line: BudgetLine): void {
    switch (line.kind) {
      case 'reserved':
        if (this.#open.has(line.id)) return;
        this.#open.set(line.id, { id: line.id, worst: line.worst_pusd, at_ms: line.at });
        return;
      case 'settled':
        this.#settle(line.id, line.cost_pusd);
        return;
      case 'hour':
        this.#add(hourOf(line.start), line.settled_pusd);
        return;
      case 'floor':
        this.#floor = Math.max(this.#floor, hourOf(line.start));
    }
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** Null where it is not open. */
  worstOf(id: string): PicoUsd | null {
    return this.#open.get(id)?.worst ?? null;
  }

  /** Takes back a reservation that is not on the disk: nothing was started on its strength. */
  withdraw(id: string): void {
    this.#open.delete(id);
  }

  open(): readonly OpenReservation[] {
    return [...this.#open.values()];
  }

  spentAt(now_ms: number): PeriodSpend {
    return byPeriod((period) =>
      this.knows(period, now_ms) ? this.#since(hourOf(periodAt(period, now_ms).begin_ms)) : null,
    );
  }

  /** False: hours of this period were forgotten, so that nobody can say what it has cost. */
  knows(period: BudgetPeriod, now_ms: number): boolean {
    return hourOf(periodAt(period, now_ms).begin_ms) >= this.#floor;
  }

  /** How far the newest hour that has spend lies ahead: above 0, the clock went back. */
  aheadOf(now_ms: number): number {
    return Math.max(0, Math.max(this.#floor, ...this.#hours()) * HOUR_MS - now_ms);
  }

  /** Forgets the months before the newest hours that have spend; the rest as lines. */
  compacted(keep: number): readonly BudgetLine[] {
    const hours = this.#hours().sort((left, right) => left - right);
    const oldest = hours.at(-keep);
    // Whole months: of one that is left in part nobody can say what it has cost.
    if (hours.length > keep && oldest !== undefined) this.#forgetBefore(firstHourOfMonth(oldest));
    const lines: BudgetLine[] = [];
    if (Number.isFinite(this.#floor)) lines.push({ kind: 'floor', start: this.#floor * HOUR_MS });
    for (const [hour, settled_pusd] of this.#settled) {
      lines.push({ kind: 'hour', start: hour * HOUR_MS, settled_pusd });
    }
    for (const { id, worst, at_ms } of this.#open.values()) {
      lines.push({ kind: 'reserved', id, at: at_ms, worst_pusd: worst });
    }
    return lines;
  }

  #settle(id: string, cost: PicoUsd): void {
    const reservation = this.#open.get(id);
    if (reservation === undefined) return;
    this.#open.delete(id);
    this.#add(hourOf(reservation.at_ms), cost);
  }

  #add(hour: number, amount: PicoUsd): void {
    this.#settled.set(hour, (this.#settled.get(hour) ?? 0n) + amount);
  }

  #since(hour: number): PicoUsd {
    let sum = 0n;
    for (const [at, amount] of this.#settled) if (at >= hour) sum += amount;
    for (const { at_ms, worst } of this.#open.values()) if (hourOf(at_ms) >= hour) sum += worst;
    return sum;
  }

  #hours(): number[] {
    const open = [...this.#open.values()].map(({ at_ms }) => hourOf(at_ms));
    return [...new Set([...this.#settled.keys(), ...open])];
  }

  #forgetBefore(floor: number): void {
    this.#floor = Math.max(this.#floor, floor);
    for (const hour of this.#settled.keys()) if (hour < floor) this.#settled.delete(hour);
    for (const { id, at_ms } of this.open()) if (hourOf(at_ms) < floor) this.#open.delete(id);
  }
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS);
}

function firstHourOfMonth(hour: number): number {
  return hourOf(periodAt('month', hour * HOUR_MS).begin_ms);
}
