import type { ErrorType, Outcome } from '../../core/outcome.ts';

/** How a task ended, or what a read of it met. */
export interface TaskEnd {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly error_code: string | null;
  readonly message: string | null;
}
