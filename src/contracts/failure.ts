import { ERRORS, type ErrorCode } from './errors/error-code.ts';
import { EXIT } from './exit-code.ts';

/** A fault of ours or of our input, never of the target under test. Rendered once, in cli/. */
export class WeighbridgeError extends Error {
  override readonly name = 'WeighbridgeError';
  readonly code: ErrorCode;
  readonly hint: string;
  readonly exitCode: number;

  /**
   * `message` says what happened, in whole sentences; `hint` says what to do. Without an `exitCode` it is that of the
   * code in the catalogue.
   */
  constructor(fault: { code: ErrorCode; message: string; hint: string; exitCode?: number; cause?: unknown }) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.code = fault.code;
    this.hint = fault.hint;
    this.exitCode = fault.exitCode ?? ERRORS[fault.code].exit ?? EXIT.usage;
  }
}
