import type { Progress } from './progress.ts';

/**
 * Counts Ctrl-C and SIGTERM of the command: the first asks to drain, the second to stop. That npm or npx, which started
 * it, has ended counts as the first.
 */
export interface Interrupts {
  /** 0, 1 or more. */
  count(): number;
  /** Resolves at the first signal. */
  readonly first: Promise<void>;
  /** Calls the listener at each signal, at once if one has come already; returns what takes it off again. */
  onSignal(listener: (count: number) => void): () => void;
  release(): void;
}

/** What the application tells while it works, and hears of Ctrl-C. The command line implements it. */
export interface Notices {
  /** A line for people, beside the results: a note, a warning, how far the work has come. */
  err(line: string): void;
  /** How a state of progress is shown: as a frame drawn over the last one, as a line for programs, or not at all. */
  readonly shows: 'frames' | 'states' | null;
  /** Shows a state of progress, as `shows` says; null takes the last frame away. */
  show(progress: Progress | null): void;
  /** Columns that lines may take. */
  readonly width: number;
  /** Follows Ctrl-C and SIGTERM until it is released. */
  interrupts(): Interrupts;
  readonly env: Readonly<Record<string, string | undefined>>;
}
