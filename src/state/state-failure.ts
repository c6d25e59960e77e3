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
    `expected to write to ${path}, found ${systemCodeOf(cause) ?? String(cause)}`,
    'free or mend the disk, or give another folder for the state; nothing paid is started meanwhile',
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
