import { NO_TLS } from '../../client/network-error.ts';
import type { ReadFailure } from '../../client/read-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** A target that cannot be reached or refuses the credentials ends the command (exit 3). */
export function targetFailure(what: string, failure: ReadFailure): WeighbridgeError {
  const found = failure.status === null ? failure.message : `HTTP ${failure.status}: ${failure.message}`;
  const refused = failure.status === 401 || failure.status === 403;
  const expected = failure.status === 200 ? 'the JSON that the interface describes' : '200';
  return new WeighbridgeError({
    code: refused ? 'credentials_refused' : 'target_unreachable',
    message: `${failure.read ?? what}: expected ${expected}, found ${found}`,
    hint: refused
      ? refusedHint(failure)
      : failure.errorType === 'tls'
        ? tlsHint(failure)
        : failure.status === null || failure.status < 500
          ? 'check the address (--target takes the root, /v1 or /api form) and that the gateway answers'
          : 'the server answers and refuses: ask who runs it, or wait',
    exitCode: EXIT.target,
  });
}

function tlsHint({ message }: ReadFailure): string {
  return message.startsWith(NO_TLS)
    ? 'begin the address with http://, or give the port at which the gateway speaks TLS'
    : TLS_HINT;
}

const TLS_HINT =
  'give the PEM file of its authority in WEIGHBRIDGE_CA_FILE, or, on a test target of your own, set http.insecure_skip_tls_verify: true; http.tls_min is the lowest version that we allow';

function refusedHint({ code, message }: ReadFailure): string {
  const base = code === 'key_site_mismatch' ? namedBase(message) : null;
  return base === null
    ? 'check that the key is of this site (WEIGHBRIDGE_API_KEY) and that the target is its base address'
    : `the key belongs to ${base}: make that the target, or take a key of this site`;
}

const ADDRESS = /https?:\/\/[\x21\x23-\x27\x2a-\x3b\x3d\x3f-\x5a\x5e-\x7a\x7e]+/i;

/** The first http or https address in a message, such as the base that `key_site_mismatch` names (interface §7); null for none. */
export function namedBase(message: string): string | null {
  const [found] = ADDRESS.exec(message) ?? [];
  return found?.replace(/[.,;:!?'*]+$/, '') ?? null;
}
