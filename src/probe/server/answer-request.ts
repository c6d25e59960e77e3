import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type Answer, plain } from './answer.ts';
import type { Route } from './routes.ts';
import type { ServerAccess } from './server-access.ts';

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
