import type { PicoUsd } from '../../core/amount.ts';
import type { ProbeBudgetLimits } from '../../core/probe-plan.ts';
import type { JournalOptions } from '../../state/journal-content.ts';
import { JournalFile } from '../../state/journal-file.ts';
import type { ProbeClock } from '../probe-clock.ts';
import { BudgetHours, type OpenReservation } from './budget-hours.ts';
import { BUDGET_SCHEMA, type BudgetLine, budgetLine, writtenBudgetLine } from './budget-line.ts';

/** Hours with spend that a compaction keeps: a month, so that a clock that went back still finds what it spent. */
const KEPT_HOURS = 24 * 31;
const COMPACTED_LINES = 4_000;

export interface BudgetOptions extends JournalOptions {
  readonly kept_hours?: number;
  /** Lines from which the file is made short again. */
  readonly compacted_lines?: number;
}

/**
 * The caps of a target by UTC hour and UTC day. A worst case is on the disk before the paid run that it covers starts, and
 * counts in the hour in which it was reserved until it is settled, in this process or in a later one.
 */
export class ProbeBudget {
  readonly #hours: BudgetHours;
  readonly #journal: JournalFile;
  readonly #clock: Pick<ProbeClock, 'now_ms'>;
  readonly #least: number;
  #limits: ProbeBudgetLimits;
  #compactAt: number;

  private constructor(
    hours: BudgetHours,
    journal: JournalFile,
    clock: Pick<ProbeClock, 'now_ms'>,
    limits: ProbeBudgetLimits,
    least: number,
  ) {
    this.#hours = hours;
    this.#journal = journal;
    this.#clock = clock;
    this.#limits = limits;
    this.#least = least;
    this.#compactAt = least;
  }

  /** Throws as `JournalFile.open`: without its file there is no paid run. */
  static async open(
    file: string,
    limits: ProbeBudgetLimits,
    clock: Pick<ProbeClock, 'now_ms'>,
    options: BudgetOptions = {},
  ): Promise<ProbeBudget> {
    const hours = new BudgetHours();
    const content = {
      schema: BUDGET_SCHEMA,
      replay: (line: unknown) => hours.apply(budgetLine.parse(line)),
      snapshot: () => hours.compacted(options.kept_hours ?? KEPT_HOURS).map(writtenBudgetLine),
    };
    const journal = await JournalFile.open(file, content, options);
    return new ProbeBudget(hours, journal, clock, limits, options.compacted_lines ?? COMPACTED_LINES);
  }

  /** Of a configuration that was read again. What is spent stays. */
  setLimits(limits: ProbeBudgetLimits): void {
    this.#limits = limits;
  }

  /**
   * True when the worst case is on the disk: the paid run may start, once. False at a cap, for an id whose reservation is open
   * (its run may have been paid), when the clock stands before all that is known, and when the file cannot be written.
   */
  async reserve(id: string, worst: PicoUsd): Promise<boolean> {
    if (worst < 0n) throw new RangeError(`expected a worst case of at least 0, found ${worst}`);
    const now = this.#clock.now_ms();
    if (this.#hours.isOpen(id) || !this.#hours.knows(now)) return false;
    const spent = this.#hours.spentAt(now);
    if (spent.hour + worst > this.#limits.hour || spent.day + worst > this.#limits.day) return false;
    const line: BudgetLine = { kind: 'reserved', id, at: now, worst_pusd: worst };
    this.#hours.apply(line);
    try {
      await this.#journal.append(writtenBudgetLine(line));
    } catch {
      this.#hours.withdraw(id);
      return false;
    }
    this.#compactWhenLong();
    return true;
  }

  /** What the run cost, in the hour in which it was reserved. Of an id that is not open it is nothing new. */
  async settle(id: string, cost: PicoUsd): Promise<void> {
    if (cost < 0n) throw new RangeError(`expected a cost of at least 0, found ${cost}`);
    if (!this.#hours.isOpen(id)) return;
    const line: BudgetLine = { kind: 'settled', id, cost_pusd: cost };
    this.#hours.apply(line);
    // What is lost of it with the process counts at its worst case again: that only spends less.
    await this.#journal.owe(writtenBudgetLine(line));
  }

  /** Counted against the caps now, open reservations at their worst case. */
  spent(): { hour: PicoUsd; day: PicoUsd } {
    return this.#hours.spentAt(this.#clock.now_ms());
  }

  /** Reservations that wait to be settled, those of processes that died among them. */
  open(): readonly OpenReservation[] {
    return this.#hours.open();
  }

  /** Above 0: the clock stands this much before what was last spent, so that what comes later counts now as well. */
  clockBehindMs(): number {
    return this.#hours.aheadOf(this.#clock.now_ms());
  }

  /** Bytes of a torn last line that was passed over. */
  tornBytes(): number {
    return this.#journal.torn_bytes;
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Not waited for: the file is as good before as after. */
  #compactWhenLong(): void {
    if (this.#journal.lines < this.#compactAt) return;
    this.#compactAt = Number.POSITIVE_INFINITY;
    void this.#journal.compact().then(() => {
      this.#compactAt = Math.max(this.#least, 2 * this.#journal.lines);
    });
  }
}
