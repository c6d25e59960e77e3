import type { Credentials } from '../../config/credentials.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/**
 * The keys to read the rest of a run with: each that its calls name, and no other, so that no record is read twice. Throws
 * `run_keys_missing` (exit 2) where one is not given: its calls would seem to have no record. A single key is taken as it
 * is given, since a ledger of others may name none.
 */
export function keysOfRun(
  ofRun: readonly string[],
  credentials: Pick<Credentials, 'byKey' | 'keyFps'>,
): readonly [Credentials, ...Credentials[]] {
  const { byKey, keyFps } = credentials;
  if (byKey.length === 1 && ofRun.length < 2) return byKey;
  const [first, ...rest] = byKey.filter(({ keyFp }) => keyFp !== null && ofRun.includes(keyFp));
  if (first !== undefined && rest.length + 1 === ofRun.length) return [first, ...rest];
  throw new WeighbridgeError({
    code: 'run_keys_missing',
    message: `Not all keys of this run were given. Keys of the run: ${listed(ofRun)}. Keys given: ${listed(keyFps)}.`,
    hint: 'Give the same --key-file flags as for the run.',
  });
}

function listed(fingerprints: readonly string[]): string {
  return fingerprints.length === 0 ? 'none is named' : fingerprints.join(', ');
}
