import { DAY_SLOTS, type DayView, SLOT_MS } from '../view/day-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';

interface Slot {
  good: number;
  failed: number;
  /** Counts by `stepOf`: a day of streams takes a few dozen numbers, however many there were. */
  readonly first_tokens: Map<number, number>;
}

/** Counts the runs of one probe by half hours, for 24 hours. */
export class DayHistory {
  readonly #slots = new Map<number, Slot>();

  ended({ blame, error_type, ended_ms }: ProbeRun, first_token_ms: number | null): void {
    const index = Math.floor(ended_ms / SLOT_MS);
    const slot = this.#slots.get(index) ?? { good: 0, failed: 0, first_tokens: new Map() };
    this.#slots.set(index, slot);
    for (const old of this.#slots.keys()) if (old <= index - DAY_SLOTS) this.#slots.delete(old);
    if (error_type === 'none') slot.good += 1;
    else if (blame === 'gateway' || blame === 'upstream' || blame === 'network') slot.failed += 1;
    if (first_token_ms === null) return;
    const step = stepOf(first_token_ms);
    slot.first_tokens.set(step, (slot.first_tokens.get(step) ?? 0) + 1);
  }

  view(now_ms: number): DayView {
    const newest = Math.floor(now_ms / SLOT_MS);
    const kept = [...this.#slots]
      .filter(([index]) => index > newest - DAY_SLOTS && index <= newest)
      .sort(([left], [right]) => left - right);
    const tokens = new Map<number, number>();
    for (const [step, count] of kept.flatMap(([, { first_tokens }]) => [...first_tokens]))
      tokens.set(step, (tokens.get(step) ?? 0) + count);
    return {
      slots: kept.map(([index, { good, failed }]) => ({ start_ms: index * SLOT_MS, good, failed })),
      first_tokens: [...tokens].map(([step, count]) => [Math.round(GROWTH ** step), count] as const),
    };
  }
}

/** A time is kept to 2 %. */
const GROWTH = 1.04;

function stepOf(ms: number): number {
  return Math.round(Math.log(Math.max(1, ms)) / Math.log(GROWTH));
}
