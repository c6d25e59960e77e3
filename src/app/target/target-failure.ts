import { NO_TLS } from '../../client/network-error.ts';
import type { ReadFailure } from '../../client/read-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** A target that cannot be reached or refuses the credentials ends the command (exit 3). */
export function targetFailure(what: string, failure: ReadFailure): WeighbridgeError {
  const read = failure.read ?? what;
  const refused = failure.status === 401 || failure.status === 403;
  return new WeighbridgeError({
    code: refused ? 'credentials_refused' : 'target_unreachable',
    message: `${happened(read, failure)}.`,
    hint: refused
      ? refusedHint(failure)
      : failure.errorType === 'tls'
        ? tlsHint(failure)
        : failure.status === null || failure.status < 500
          ? 'Check the address, and check that the gateway is running. --target takes the root, /v1 or /api form.'
          : 'Wait and try again, or ask the owner of the gateway.',
    exitCode: EXIT.target,
  });
}

function happened(read: string, { status, message, errorType }: ReadFailure): string {
  const said = message.startsWith(`HTTP ${status}`) ? message : `HTTP ${status}: ${message}`;
  if (status === null)
    return errorType === 'tls'
      ? `The connection to the target is not secure. ${read} failed: ${message}`
      : `The target did not answer. ${read} failed: ${message}`;
  if (status === 401 || status === 403) return `The target refused the credentials. ${read} answered ${said}`;
  if (status === 200) return `The target did not answer with the expected JSON. ${read}: ${message}`;
  return `The target answered with an error. ${read} answered ${said}`;
}

function tlsHint({ message }: ReadFailure): string {
  return message.startsWith(NO_TLS)
    ? 'Begin the address with http://, or give the port on which the gateway uses TLS.'
    : TLS_HINT;
}

const TLS_HINT =
  'Set WEIGHBRIDGE_CA_FILE to the PEM file of its certificate authority. On your own test target you can set http.insecure_skip_tls_verify: true. http.tls_min sets the lowest TLS version.';

function refusedHint({ code, message }: ReadFailure): string {
  const base = code === 'key_site_mismatch' ? namedBase(message) : null;
  return base === null
    ? 'Check WEIGHBRIDGE_API_KEY. The key must belong to this target.'
    : `The key belongs to ${base}. Use that address as the target, or use a key of this site.`;
}

const ADDRESS = /https?:\/\/[\x21\x23-\x27\x2a-\x3b\x3d\x3f-\x5a\x5e-\x7a\x7e]+/i;

/** The first http or https address in a message, such as the base that `key_site_mismatch` names (interface §7); null for none. */
export function namedBase(message: string): string | null {
  const [found] = ADDRESS.exec(message) ?? [];
  return found?.replace(/[.,;:!?'*]+$/, '') ?? null;
}
