import { EXIT } from '../../core/exit-code.ts';
import { WeighbridgeError } from '../../core/failure.ts';

const REASONS: Readonly<Record<string, { readonly found: string; readonly hint: string }>> = {
  EADDRINUSE: {
    found: 'that another program listens there',
    hint: 'stop that program, or give another port with --listen or probe.listen; port 0 takes any free one',
  },
  EACCES: {
    found: 'that the system does not allow it',
    hint: 'give a port of 1024 or above with --listen or probe.listen',
  },
  EADDRNOTAVAIL: {
    found: 'that this machine has no such address',
    hint: 'give an address of this machine with --listen or probe.listen, or leave it out for all: ":9464"',
  },
  EAFNOSUPPORT: {
    found: 'that this machine does not speak IPv6',
    hint: 'give an IPv4 address with --listen or probe.listen, such as 0.0.0.0:9464',
  },
  ENOTFOUND: {
    found: 'no address for that name',
    hint: 'give an address instead of the name with --listen or probe.listen',
  },
};

/** An address that cannot be had is the user's to mend; anything else is thrown as it is. */
export function listenFault(address: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code === 'EAI_AGAIN' ? 'ENOTFOUND' : code];
  if (reason === undefined) return cause;
  const message = `expected to listen on ${address}, found ${reason.found} (${code})`;
  return new WeighbridgeError({
    code: 'listen_failed',
    message,
    hint: reason.hint,
    exitCode: EXIT.usage,
    cause,
  });
}

/** Of a certificate, a key, a token or a password of the server's own, at its start. */
export function serverFileFault(key: string, problem: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'listen_file_invalid',
    message: `probe.listen ${key}: ${problem}`,
    hint: `correct the file or the path at ${key}`,
    exitCode: EXIT.usage,
  });
}
