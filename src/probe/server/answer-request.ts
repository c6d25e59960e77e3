import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { WatchedFile } from '../secrets/watched-file.ts';
import { type Answer, plain } from './answer.ts';
import type { Route } from './routes.ts';
import type { ServerAccess } from './server-access.ts';
import { serverFileFault } from './server-faults.ts';

export interface Answering {
  readonly routes: ReadonlyMap<string, Route>;
  readonly access: ServerAccess;
  /** Nothing but the address keeps strangers away. */
  readonly ownHostOnly: boolean;
  /** Told of what a route threw: the reader only learns that it did. */
  readonly onFault: (error: unknown) => void;
}

const FOREIGN_HOST =
  'expected localhost or an address as Host, found another name: ask for one of these, or set probe.auth';

/** From a request to its answer: credentials first, so that a stranger does not learn which paths there are. */
export async function answerRequest(
  request: IncomingMessage,
  { routes, access, ownHostOnly, onFault }: Answering,
): Promise<Answer> {
  if (ownHostOnly && !isOwnHost(request.headers.host)) return plain(421, FOREIGN_HOST);
  const url = originForm(request.url ?? '');
  const route = url === null ? undefined : routes.get(url.pathname);
  const refusal = route?.open === true ? null : access.refusal(request.headers.authorization);
  if (refusal !== null)
    return plain(401, 'credentials are missing or wrong', { 'www-authenticate': refusal.challenge });
  if (url === null) return plain(400, 'not a path');
  if (route === undefined) return plain(404, `unknown path; known: ${[...routes.keys()].join(' ')}`);
  const method = route.methods.find((known) => known === request.method);
  if (method === undefined) {
    const allow = route.methods.join(', ');
    return plain(405, `this path takes ${allow}`, { allow });
  }
  try {
    return await route.answer({ query: url.searchParams, headers: request.headers });
  } catch (error) {
    onFault(error);
    return plain(500, 'a fault of ours; the log has it');
  }
}

/** The absolute form, which only proxies send, is not taken. */
function originForm(target: string): URL | null {
  return target.startsWith('/') ? URL.parse(`http://daemon${target}`) : null;
}

const HOST = /^(?:\[([\da-f:.]+)\]|([^:[\]@/\s]+))(?::\d{1,5})?$/i;

/**
 * True for a `Host` that no stranger's name server can point at this machine: an address or localhost. A page whose name
 * resolves to a loopback address later (DNS rebinding) still asks for its own name, and would pass for the same site.
 * Without the header, which every browser sends, nothing is asked by a page.
 */
function isOwnHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  const match = HOST.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}

interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

const MAX_BYTES = 262_144;

/** The server's certificate and key, read again when either file changes. */
export class TlsIdentity {
  readonly #cert: WatchedFile;
  readonly #key: WatchedFile;
  readonly #onProblem: (problem: string) => void;
  #texts: TlsPair = { cert: '', key: '' };

  constructor(
    files: NonNullable<ProbeListen['tls']>,
    now: () => number,
    onProblem: (problem: string) => void,
  ) {
    this.#cert = new WatchedFile({ path: files.cert_file, maxBytes: MAX_BYTES, now });
    this.#key = new WatchedFile({ path: files.key_file, maxBytes: MAX_BYTES, now });
    this.#onProblem = onProblem;
  }

  /** Throws where they cannot be used. */
  first(): TlsPair {
    const cert = this.#cert.read();
    if (cert.kind === 'problem') throw serverFileFault('tls.cert_file', cert.problem);
    const key = this.#key.read();
    if (key.kind === 'problem') throw serverFileFault('tls.key_file', key.problem);
    if (cert.kind === 'text' && key.kind === 'text') this.#texts = { cert: cert.text, key: key.text };
    const problem = pairProblem(this.#texts);
    if (problem !== null) throw serverFileFault('tls', problem);
    return this.#texts;
  }

  /**
   * The pair where it has changed and can be used, else null. Files that are replaced one after the other do not belong
   * together in between: the old pair goes on until they do.
   */
  changed(): TlsPair | null {
    const cert = this.#cert.read();
    const key = this.#key.read();
    for (const found of [cert, key]) if (found.kind === 'problem') this.#onProblem(found.problem);
    const next = {
      cert: cert.kind === 'text' ? cert.text : this.#texts.cert,
      key: key.kind === 'text' ? key.text : this.#texts.key,
    };
    if (next.cert === this.#texts.cert && next.key === this.#texts.key) return null;
    this.#texts = next;
    const problem = pairProblem(next);
    if (problem !== null) this.#onProblem(`${problem}; the one before stays in use`);
    return problem === null ? next : null;
  }
}

/** The library's message is left out: it may quote what it read. */
function pairProblem(pair: TlsPair): string | null {
  try {
    createSecureContext({ ...pair, minVersion: 'TLSv1.2' });
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return `the certificate and the key cannot be used together (${code})`;
  }
}
