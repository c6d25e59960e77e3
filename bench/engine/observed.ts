import { GapHistogram } from './gap-histogram.ts';
import type { Truth } from './mock.ts';
import { quantile } from './statistics.ts';

/** One stream as a client, or the server, timed it; ms. */
export interface TimedStream {
  readonly ttft: number;
  /** Mean gap between content events; null of fewer than two. */
  readonly meanItl: number | null;
  readonly events: number;
}

/** Quantiles of the streams of a run, ms; null where the client does not tell. */
export interface Observed {
  readonly ttft_p50: number | null;
  readonly ttft_p99: number | null;
  /** From gaps in buckets of 4.4 %, read as gap-histogram.ts says. */
  readonly itl_p99: number | null;
  /** From the gaps themselves; null of a client that keeps histograms. */
  readonly itl_p99_exact: number | null;
  readonly mean_itl_p99: number | null;
  readonly completed: number;
  readonly failed: number;
  readonly events: number;
  /** Longest gap of any stream. */
  readonly max_gap: number | null;
  /** What the first failed stream said. */
  readonly first_failure: string | null;
}

/** Gathers streams; gaps come one by one or as histograms. */
export class ObservedStreams {
  readonly #streams: TimedStream[] = [];
  readonly #gaps: number[] = [];
  readonly #histogram = new GapHistogram();
  #failed = 0;
  #firstFailure: string | null = null;
  #maxGap: number | null = null;

  addExact(ttft: number, gaps: readonly number[]): void {
    for (const gap of gaps) {
      this.#gaps.push(gap);
      this.#histogram.add(gap);
      this.#maxGap = Math.max(this.#maxGap ?? 0, gap);
    }
    const meanItl = gaps.length === 0 ? null : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    this.#streams.push({ ttft, meanItl, events: gaps.length + 1 });
  }

  addBucketed(stream: TimedStream, itl: readonly (readonly [number, number])[], maxGap: number | null): void {
    this.#histogram.addPairs(itl);
    if (maxGap !== null) this.#maxGap = Math.max(this.#maxGap ?? 0, maxGap);
    this.#streams.push(stream);
  }

  addFailed(why: string): void {
    this.#failed += 1;
    this.#firstFailure ??= why;
  }

  summary(): Observed {
    const ttft = this.#streams.map((stream) => stream.ttft);
    const means = this.#streams.map((stream) => stream.meanItl).filter((mean) => mean !== null);
    return {
      ttft_p50: quantile(ttft, 0.5),
      ttft_p99: quantile(ttft, 0.99),
      itl_p99: this.#histogram.quantile(0.99),
      itl_p99_exact: quantile(this.#gaps, 0.99),
      mean_itl_p99: quantile(means, 0.99),
      completed: this.#streams.length,
      failed: this.#failed,
      events: this.#streams.reduce((sum, { events }) => sum + events, 0),
      max_gap: this.#maxGap,
      first_failure: this.#firstFailure,
    };
  }
}

/** The truth, read by the same rules as a client's report. */
export function observedByServer(truth: Truth): Observed {
  const all = new ObservedStreams();
  for (const { sent_us, cut } of truth.streams) {
    const [first] = sent_us;
    if (cut || first === undefined) {
      all.addFailed(cut ? 'the client left' : 'no event');
      continue;
    }
    all.addExact(
      first / 1000,
      sent_us.slice(1).map((us, index) => (us - (sent_us[index] ?? us)) / 1000),
    );
  }
  return all.summary();
}
