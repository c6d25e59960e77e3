import type { Result } from '../../contracts/result.ts';
import type { ReadLine, UsageRecordLine } from '../../contracts/usage-lines.ts';
import type { UsedBook } from '../sections/evidence-section.ts';
import type { Claimable } from './claimable.ts';

/** A price book of the run folder, as it was served or given. */
export interface BundleBook extends UsedBook {
  /** Of its file under books/. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A file of the user's own stands in place of what the target serves. */
  readonly own: boolean;
}

/** All that a bundle is made of: the same input gives the same bytes. */
export interface BundleInput {
  readonly result: Pick<Result, 'run_id' | 'target' | 'period' | 'basis' | 'tool' | 'completeness'>;
  readonly claimable: Claimable;
  readonly books: readonly BundleBook[];
  readonly reads: readonly ReadLine[];
  readonly records: readonly UsageRecordLine[];
  /** Takes known keys, tokens and fingerprints out of a text. */
  readonly mask: (text: string) => string;
}
