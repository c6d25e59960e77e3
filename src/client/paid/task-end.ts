import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ErrorType, Outcome } from '../../contracts/outcome.ts';

/** How a task ended, or what a read of it met. */
export interface TaskEnd {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly error_code: string | null;
  readonly message: string | null;
}

/**
 * The end of a call whose result was made, by that of its fetch and the rows of this: `ok` with sound content alone. What we cut
 * ourselves is interrupted.
 */
export function fetchedEnd(fetched: TaskEnd, rows: readonly CallRow[]): TaskEnd {
  const { outcome, message } = fetched;
  if (outcome === 'ok') return fetched;
  if (outcome === 'interrupted' || outcome === 'not_sent')
    return { ...fetched, outcome: 'interrupted', error_type: 'none' };
  const status = outcome === 'http_error' ? ` ${rows.at(-1)?.status}` : '';
  const why = message === null ? '' : `, ${message}`;
  return {
    outcome: 'bad_response',
    error_type: 'download_failed',
    error_code: null,
    message: `the result could not be downloaded: ${outcome}${status}${why}`,
  };
}
