import type { WeighbridgeError } from '../contracts/failure.ts';
import type { StateDisk } from './state-disk.ts';

export interface JournalOptions {
  readonly disk?: StateDisk;
  /** Told of each write that failed. */
  readonly writeFailed?: (error: WeighbridgeError) => void;
}

export interface JournalContent {
  /** What the first line names. */
  readonly schema: string;
  /** Given each line behind the first; throws for one that it does not know. */
  readonly replay: (line: unknown) => void;
  /** Lines that say all that counts, as of the moment in which it is called. */
  readonly snapshot: () => readonly object[];
}
