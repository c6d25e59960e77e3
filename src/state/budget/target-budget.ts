import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS } from '../../core/budget-period.ts';
import type { JournalOptions } from '../journal-content.ts';
import { SharedJournal } from '../shared-journal.ts';
import { type TwoClocks, WaryClock } from '../wary-clock.ts';
import { BudgetHours, type OpenReservation, type PeriodSpend } from './budget-hours.ts';
import { BUDGET_SCHEMA, type BudgetLine, budgetLine, writtenBudgetLine } from './budget-line.ts';

/**
 * Hours with spend that a compaction keeps, and with them the whole month of the first: as many as a month has, so that a
 * clock that went back still finds what it spent.
 */
const KEPT_HOURS = 24 * 31;
const COMPACTED_LINES = 4_000;

export interface BudgetOptions extends JournalOptions {
  readonly kept_hours?: number;
  /** Lines from which the file is made short again. */
  readonly compacted_lines?: number;
}

/** What a budget needs of a clock; of a process that goes on for days, both. */
export type BudgetClock = Pick<TwoClocks, 'now_ms'> | TwoClocks;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 31 * DAY_MS;

/**
 * What may still be spent at a target, by hour, day and month of UTC, whichever process spends it. A worst case is on the disk
 * before what it covers starts, and counts in the hour in which it was reserved until it is settled, in this process or
 * another. Each act reads first what other processes have written.
 */
export class TargetBudget {
  readonly #journal: SharedJournal;
  readonly #clock: BudgetClock;
  readonly #wary: WaryClock | null;
  readonly #compacted: { readonly hours: number; readonly least: number };
  #hours = new BudgetHours();
  #owed: BudgetLine[] = [];
  #limits: BudgetLimits | null;
  #compactAt: number;

  private constructor(
    file: string,
    limits: BudgetLimits | null,
    clock: BudgetClock,
    { kept_hours = KEPT_HOURS, compacted_lines = COMPACTED_LINES, ...options }: BudgetOptions,
  ) {
    this.#clock = clock;
    this.#wary = isSteady(clock) ? new WaryClock(clock) : null;
    this.#limits = limits;
    this.#compacted = { hours: kept_hours, least: compacted_lines };
    this.#compactAt = compacted_lines;
    this.#journal = new SharedJournal(file, options, {
      schema: BUDGET_SCHEMA,
      begin: () => {
        this.#hours = new BudgetHours();
      },
      replay: (line) => this.#hours.apply(budgetLine.parse(line)),
    });
  }

  /** Without limits it only writes down. Throws as `SharedJournal.read`: without its file nothing paid starts. */
  static async open(
    file: string,
    limits: BudgetLimits | null,
    clock: BudgetClock,
    options: BudgetOptions = {},
  ): Promise<TargetBudget> {
    const budget = new TargetBudget(file, limits, clock, options);
    await budget.#journal.read();
    return budget;
  }

  /** Of a configuration that was read again. What is spent stays. */
  setLimits(limits: BudgetLimits): void {
    this.#limits = limits;
  }

  /**
   * True when the worst case is on the disk: what it covers may start, once. False at a cap, for an id whose reservation is open
   * (its run may have been paid), when the clock stands before all that is known, and when the file cannot be written.
   */
  async reserve(id: string, worst: PicoUsd): Promise<boolean> {
    if (worst < 0n) throw new RangeError(`expected a worst case of at least 0, found ${worst}`);
    const written = await this.#journal.change(() => {
      this.#applyOwed();
      const now = this.#clock.now_ms();
      if (!this.#hasRoom(id, worst, now)) return null;
      return this.#lines({ kind: 'reserved', id, at: now, worst_pusd: worst });
    });
    await this.#compactWhenLong();
    return written;
  }

  /** What it cost, in the hour in which it was reserved. Of an id that is not open it is nothing new. */
  async settle(id: string, cost: PicoUsd): Promise<void> {
    if (cost < 0n) throw new RangeError(`expected a cost of at least 0, found ${cost}`);
    if (!this.#hours.isOpen(id)) return;
    const line: BudgetLine = { kind: 'settled', id, cost_pusd: cost };
    this.#hours.apply(line);
    // What is lost of it with the process counts at its worst case again: that only spends less.
    this.#owed.push(line);
    await this.#journal.change(() => {
      this.#applyOwed();
      return this.#lines();
    });
  }

  /** What nothing more will be known of goes on to count as reserved, and is open no longer: the file stays short. */
  async settleAtWorst(id: string): Promise<void> {
    const worst = this.#hours.worstOf(id);
    if (worst !== null) await this.settle(id, worst);
  }

  /** What was spent beyond its reservation, in the hour in which it is found. There is no cap that could hold it back. */
  async add(id: string, cost: PicoUsd): Promise<void> {
    if (cost < 0n) throw new RangeError(`expected a cost of at least 0, found ${cost}`);
    await this.#journal.change(() => {
      this.#applyOwed();
      const at = this.#clock.now_ms();
      return this.#lines(
        { kind: 'reserved', id, at, worst_pusd: cost },
        { kind: 'settled', id, cost_pusd: cost },
      );
    });
  }

  /** Counted against the caps, open reservations at their worst case, as of the last act. */
  spent(): PeriodSpend {
    return this.#spentNow();
  }

  /** Reservations that wait to be settled, those of other processes and of dead ones among them. */
  open(): readonly OpenReservation[] {
    return this.#hours.open();
  }

  /** Above 0: the clock stands this much before what was last spent, so that what comes later counts now as well. */
  clockBehindMs(): number {
    return this.#hours.aheadOf(this.#clock.now_ms());
  }

  /** After what is under way. */
  close(): Promise<void> {
    return this.#journal.idle();
  }

  #hasRoom(id: string, worst: PicoUsd, now: number): boolean {
    if (this.#hours.isOpen(id) || !this.#hours.knows('hour', now)) return false;
    const limits = this.#limits;
    if (limits === null) return true;
    const spent = this.#spentNow();
    return BUDGET_PERIODS.every((period) => fits(worst, spent[period], limits[period]));
  }

  /** An hour that the clock has skipped is not over before one has passed; nor is a day or a month. */
  #spentNow(): PeriodSpend {
    const counted = (for_ms: number) => this.#hours.spentAt(this.#now(for_ms));
    return { hour: counted(HOUR_MS).hour, day: counted(DAY_MS).day, month: counted(MONTH_MS).month };
  }

  #now(for_ms: number): number {
    return this.#wary?.now_ms(for_ms) ?? this.#clock.now_ms();
  }

  /** With what is owed before it, which is paid once they are written. */
  #lines(...more: readonly BudgetLine[]) {
    const owed = this.#owed;
    const lines = [...owed, ...more];
    return {
      lines: lines.map(writtenBudgetLine),
      written: () => {
        this.#owed = this.#owed.filter((line) => !owed.includes(line));
        for (const line of more) this.#hours.apply(line);
      },
    };
  }

  /** Another process may have made the file anew, where what is owed does not stand. */
  #applyOwed(): void {
    for (const line of this.#owed) this.#hours.apply(line);
  }

  /** The file is as good before as after. */
  async #compactWhenLong(): Promise<void> {
    if (this.#journal.lines < this.#compactAt) return;
    await this.#journal.compact(() => this.#hours.compacted(this.#compacted.hours).map(writtenBudgetLine));
    this.#compactAt = Math.max(this.#compacted.least, 2 * this.#journal.lines);
  }
}

/** Of a period that is not known in full nobody can say what is left. */
function fits(worst: PicoUsd, spent: PicoUsd | null, limit: PicoUsd | null): boolean {
  return limit === null || (spent !== null && spent + worst <= limit);
}

function isSteady(clock: BudgetClock): clock is TwoClocks {
  return 'mono_ms' in clock;
}
