import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';

/** Stands where a target repeated a credential. */
export const CREDENTIAL_MASK = '[credential]';
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Refuses a credential that no header can carry, without repeating it. */
export function checkCredential(name: string, value: string): string {
  if (PRINTABLE.test(value)) return value;
  throw new WeighbridgeError({
    code: 'credential_malformed',
    message: `${name} is empty, or it contains a space or a character that is not ASCII.`,
    hint: 'Look for a line break or a space at the end of the variable or file.',
    exitCode: EXIT.usage,
  });
}
