import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import { SecretValues, SHORTEST_SECRET } from './secrets/secret-values.ts';

const MASK = '[credential]';
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Refuses a credential that no header can carry, without repeating it. */
export function checkCredential(name: string, value: string): string {
  if (PRINTABLE.test(value)) return value;
  throw new WeighbridgeError({
    code: 'credential_malformed',
    message: `${name}: expected printable ASCII without blanks, found other characters or nothing`,
    hint: 'Look for a line break or a blank at the end of the variable or file.',
    exitCode: EXIT.usage,
  });
}

/** The text without any of the credentials, however a target came to repeat them, and in whatever encoding. */
export function withoutCredentials(text: string, credentials: readonly string[]): string {
  return credentialMask(credentials, MASK)(text);
}

/** As `withoutCredentials`, for many texts. */
export function credentialMask(credentials: readonly string[], mask: string): (text: string) => string {
  const known = credentials.filter((credential) => credential !== '');
  const secrets = new SecretValues(mask);
  for (const credential of known) if (credential.length >= SHORTEST_SECRET) secrets.add(credential);
  return (text) => known.reduce((safe, credential) => safe.replaceAll(credential, mask), secrets.mask(text));
}
