/** What the scripts of the bench get as JSON in BENCH_LOAD. */
interface BenchLoad {
  /** The mock with its shape: no slash at the end. */
  root: string;
  stream: boolean;
  /** Options of a k6 executor. */
  scenario: Record<string, unknown> & { executor: string };
  /** Calls that a virtual user holds at once; above 1 each iteration holds them all. */
  calls_per_vu: number;
  /** How many calls each of them makes, one after the other. */
  each: number;
  /** No call starts later than this after the first, s; null for no bound. */
  lasting_s: number | null;
  /** Where a stock script leaves its summary. */
  summary?: string;
}
