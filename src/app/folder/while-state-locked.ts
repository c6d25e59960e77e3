import { WeighbridgeError } from '../../contracts/failure.ts';
import { whileLocked } from '../../state/while-locked.ts';

/** A file of it is written in a moment. */
const MOST_WAIT_MS = 10_000;

/** Does a short piece of work on a file of a target's state. Throws `state_locked` (exit 2) where another command holds it. */
export async function whileStateLocked(lock: string, work: () => void | Promise<void>): Promise<void> {
  await whileLocked(lock, { wait_ms: MOST_WAIT_MS, refused: (owner) => stateLocked(lock, owner) }, work);
}

function stateLocked(lock: string, owner: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'state_locked',
    message: `expected to write the state of the target, found ${owner}`,
    hint: `wait until it has ended, then ask again; after a crash on another host remove ${lock}`,
  });
}
