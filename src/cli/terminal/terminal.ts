import type { Notices } from '../../app/notices/notices.ts';

/** Where a command prints: results to `out`, all else to `err`. The only printing in the project. */
export interface Terminal extends Notices {
  out(line: string): void;
}
