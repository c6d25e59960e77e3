import { parseTarget, type TargetBases } from '../../config/target-bases.ts';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** True for the address of a gateway where a file could stand too. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/** The root of a gateway as `--target` names it, in any of its forms. Throws `target_invalid` (exit 2). */
export function flagRoot(target: string): string {
  return flagBases('--target', 'target_invalid', target).root;
}

/** The bases of a gateway whose address a flag gives, in any of its forms. Throws `code` (exit 2). */
export function flagBases(
  flag: string,
  code: ErrorCode,
  address: string,
  hint = 'Give the address of the gateway. It may end in /v1 or /api.',
): TargetBases {
  const reading = parseTarget(address);
  if (!('fault' in reading)) return reading.bases;
  throw new WeighbridgeError({ code, message: `The address of ${flag} ${reading.fault}.`, hint });
}
