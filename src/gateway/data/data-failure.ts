import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

type DataFailureCode = 'data_in_use' | 'data_corrupt' | 'data_version' | 'data_unusable';

/** What is wrong with a data directory: the user's to mend. */
export function dataFailure(
  code: DataFailureCode,
  message: string,
  hint: string,
  cause?: unknown,
): WeighbridgeError {
  return new WeighbridgeError({ code, message, hint, exitCode: EXIT.usage, cause });
}
