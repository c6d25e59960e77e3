import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { HttpOptions } from '../contracts/plan.ts';
import type { Environment } from './proxy-of.ts';

/** Files of certificates that are trusted beside the system's; xk6/transport has the same. */
export const CA_VARIABLES = ['WEIGHBRIDGE_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'] as const;

/**
 * Node's roots, the system's and those of the files, as one context: parsed once, not for each connection. `least` is the
 * least version of TLS.
 */
export function trustedRoots(environment: Environment, least: HttpOptions['tls_min']): SecureContext {
  const files = CA_VARIABLES.flatMap((name) => {
    const path = environment[name] ?? '';
    return path === '' ? [] : [certificatesOf(name, path)];
  });
  return createSecureContext({
    ...(least === null ? {} : { minVersion: least === 'tls1.3' ? 'TLSv1.3' : 'TLSv1.2' }),
    ca: [...getCACertificates('default'), ...getCACertificates('system'), ...files],
  });
}

function certificatesOf(name: string, path: string): string {
  const text = read(name, path);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw unusable(`${name}: the file ${path} contains no PEM certificate.`);
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(`${name}: ${error instanceof Error ? error.message : 'the file cannot be read'}.`);
  }
}

function unusable(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ca_file_unusable',
    message,
    hint: 'Give a file with one or more PEM certificates, or unset the variable.',
    exitCode: EXIT.usage,
  });
}
