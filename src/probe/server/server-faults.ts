import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

const REASONS: Readonly<
  Record<string, { readonly found: string; readonly hint: (given: string) => string }>
> = {
  EADDRINUSE: {
    found: 'that another program listens there',
    hint: (given) => `stop that program, or give another port with ${given}; port 0 takes any free one`,
  },
  EACCES: {
    found: 'that the system does not allow it',
    hint: (given) => `give a port of 1024 or above with ${given}`,
  },
  EADDRNOTAVAIL: {
    found: 'that this machine has no such address',
    hint: (given) => `give an address of this machine with ${given}, or leave it out for all: ":9464"`,
  },
  EAFNOSUPPORT: {
    found: 'that this machine does not speak IPv6',
    hint: (given) => `give an IPv4 address with ${given}, such as 0.0.0.0:9464`,
  },
  ENOTFOUND: {
    found: 'no address for that name',
    hint: (given) => `give an address instead of the name with ${given}`,
  },
};

/** An address that cannot be had is the user's to mend, by what gave it; anything else is thrown as it is. */
export function listenFault(address: string, cause: unknown, given = '--listen or probe.listen'): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = REASONS[code === 'EAI_AGAIN' ? 'ENOTFOUND' : code];
  if (reason === undefined) return cause;
  const message = `expected to listen on ${address}, found ${reason.found} (${code})`;
  return new WeighbridgeError({
    code: 'listen_failed',
    message,
    hint: reason.hint(given),
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
