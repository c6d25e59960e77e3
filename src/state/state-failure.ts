import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import { systemCodeOf } from './system-code.ts';

type StateFailureCode = 'state_in_use' | 'state_corrupt' | 'state_version' | 'state_unwritable';

/** What is wrong with a file that outlives the daemon: the user's to mend. */
export function stateFailure(
  code: StateFailureCode,
  message: string,
  hint: string,
  cause?: unknown,
): WeighbridgeError {
  return new WeighbridgeError({ code, message, hint, exitCode: EXIT.usage, cause });
}

/** What the system refuses, as our own error; ours pass. */
export function stateUnwritable(path: string, cause: unknown): WeighbridgeError {
  if (cause instanceof WeighbridgeError) return cause;
  return stateFailure(
    'state_unwritable',
    `The state in ${path} cannot be written: ${systemCodeOf(cause) ?? String(cause)}.`,
    'Free some space, correct the permissions, or give another folder with --state. No paid call starts until then.',
    cause,
  );
}

export async function orUnwritable<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw stateUnwritable(path, cause);
  }
}
