import type { Interrupts } from './interrupts.ts';
import type { Progress } from './progress.ts';

/** The size of a terminal, in characters. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/** Where a command prints: results to `out`, progress and errors to `err`. The only printing in the project. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Replaces the last frame, below all lines, by that for the terminal's size of now; only where `live` is true. */
  redraw(frame: (size: FrameSize) => readonly string[]): void;
  /** stderr is a terminal on which lines may be redrawn. */
  readonly live: boolean;
  /** False where colours are not wanted; absent where nothing is coloured. */
  readonly colour?: boolean;
  /** Where programs follow what runs: then progress goes here and nowhere else. */
  readonly progress?: (progress: Progress) => void;
  readonly width: number;
  /** Follows Ctrl-C and SIGTERM until it is released. */
  interrupts(): Interrupts;
  readonly env: Readonly<Record<string, string | undefined>>;
}
