import { EXIT } from '../../core/exit-code.ts';
import { WeighbridgeError } from '../../core/failure.ts';

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

export function stateUnwritable(path: string, cause: unknown): WeighbridgeError {
  return stateFailure(
    'state_unwritable',
    `expected to write to ${path}, found ${systemCodeOf(cause) ?? String(cause)}`,
    'free or mend the disk, or give another folder for the state; nothing paid is started meanwhile',
    cause,
  );
}

/** What the system refuses, as our own error; ours pass. */
export async function orUnwritable<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw cause instanceof WeighbridgeError ? cause : stateUnwritable(path, cause);
  }
}

/** The system's code of an error, such as ENOENT, or null. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
