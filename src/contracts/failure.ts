import { EXIT } from './exit-code.ts';

/** A fault of ours or of our input, never of the target under test. Rendered once, in cli/. */
export class WeighbridgeError extends Error {
  override readonly name = 'WeighbridgeError';
  readonly code: string;
  readonly hint: string;
  readonly exitCode: number;

  /**
   * `code` is stable snake_case; `message` says what was expected and found; `hint` says what mends it. Without an
   * `exitCode` it is what the user gave that is at fault: 2.
   */
  constructor(fault: { code: string; message: string; hint: string; exitCode?: number; cause?: unknown }) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.code = fault.code;
    this.hint = fault.hint;
    this.exitCode = fault.exitCode ?? EXIT.usage;
  }
}
