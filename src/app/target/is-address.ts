import { parseTarget } from '../../config/target-bases.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** True for the address of a gateway where a file could stand too. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/** The root of a gateway as `--target` names it, in any of its forms. Throws `target_invalid` (exit 2). */
export function flagRoot(target: string): string {
  const reading = parseTarget(target);
  if (!('fault' in reading)) return reading.bases.root;
  throw new WeighbridgeError({
    code: 'target_invalid',
    message: `--target: the address ${reading.fault}`,
    hint: 'give the root, /v1 or /api form of the gateway',
  });
}
