import { Socket } from 'node:net';
import { type DetailedPeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { type buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici';
import { hostsConnector } from '../hosts-connector.ts';
import type { ConnectionOptions } from '../open-dispatcher.ts';
import { type Environment, proxyOf } from '../proxy-of.ts';

export interface ConnectionSettings {
  readonly connection: ConnectionOptions;
  readonly environment: Environment;
  /** Made once: the roots are many. Asked for only where TLS is spoken. */
  readonly roots: () => SecureContext;
  readonly now: () => number;
}

/** What a call may know of its connection, moments on the monotonic clock. Behind a proxy its steps are not seen. */
export interface ConnectionMarks {
  /** The name was resolved; null for an address. */
  readonly resolvedAt: number | null;
  readonly connectedAt: number | null;
  /** TLS is agreed; null without. */
  readonly securedAt: number | null;
  readonly proto: string | null;
  readonly tlsNotAfterMs: number | null;
}

const UNSEEN: ConnectionMarks = {
  resolvedAt: null,
  connectedAt: null,
  securedAt: null,
  proto: null,
  tlsNotAfterMs: null,
};

/**
 * The one connection of one call. A call over a kept connection can meet its close, which proves nothing against the
 * target and could not be tried again: a paid call is sent once. So each has its own, and a second attempt to connect,
 * whoever asks for it, is refused.
 */
export class CallConnection {
  readonly dispatcher: Dispatcher;
  readonly #now: () => number;
  #marks: ConnectionMarks = UNSEEN;
  #socket: Socket | null = null;
  #asked = false;

  constructor(url: URL, { connection, environment, roots, now }: ConnectionSettings) {
    this.#now = now;
    const proxy = proxyOf(url, environment);
    const tls = {
      ...(url.protocol === 'https:' || proxy?.protocol === 'https:' ? { secureContext: roots() } : {}),
      rejectUnauthorized: !connection.insecure_skip_tls_verify,
    };
    const timers = { headersTimeout: 0, bodyTimeout: 0 };
    this.dispatcher =
      proxy === null
        ? new Client(url.origin, {
            ...timers,
            pipelining: 1,
            connect: this.#once(
              hostsConnector(connection.hosts, { ...tls, allowH2: connection.http2, timeout: 0 }),
            ),
          })
        : new ProxyAgent({
            ...timers,
            // undici knows socks5 by one name; names are looked up at the proxy's end either way.
            uri: proxy.href.replace(/^socks5h:/, 'socks5:'),
            connections: 1,
            allowH2: connection.http2,
            requestTls: tls,
            proxyTls: tls,
          });
  }

  get marks(): ConnectionMarks {
    return this.#marks;
  }

  /** Gives up all that is open, a connection in the making too, which undici would wait for. */
  destroy(): void {
    this.#socket?.destroy();
    this.dispatcher.destroy().catch(() => undefined);
  }

  #once(connect: buildConnector.connector): buildConnector.connector {
    return (target, callback) => {
      if (this.#asked) {
        callback(new Error('the connection of the call is gone'), null);
        return;
      }
      this.#asked = true;
      // The recipe needs the socket before it is connected: undici's connector returns it, which its type does not say.
      const made: unknown = connect(target, (...args) => {
        if (args[0] === null) this.#opened(args[1]);
        callback(...args);
      });
      if (!(made instanceof Socket)) return;
      this.#socket = made;
      made.once('lookup', () => this.#mark({ resolvedAt: this.#now() }));
      made.once('connect', () => this.#mark({ connectedAt: this.#marks.connectedAt ?? this.#now() }));
      made.on('error', () => undefined); // told by the callback; after the end of the call it is nobody's
    };
  }

  /** undici listens first, so this comes before a listener of ours to the same event. */
  #opened(socket: Socket): void {
    const now = this.#now();
    if (!(socket instanceof TLSSocket)) {
      this.#mark({ connectedAt: now, proto: 'HTTP/1.1' });
      return;
    }
    this.#mark({
      securedAt: now,
      proto: socket.alpnProtocol === 'h2' ? 'HTTP/2.0' : 'HTTP/1.1',
      tlsNotAfterMs: earliestExpiry(socket.getPeerCertificate(true)),
    });
  }

  #mark(marks: Partial<ConnectionMarks>): void {
    this.#marks = { ...this.#marks, ...marks };
  }
}

/** The moment, ms since the epoch, at which the first certificate of a chain as served ends; null where none is told. */
function earliestExpiry(leaf: DetailedPeerCertificate): number | null {
  const seen = new Set<DetailedPeerCertificate>();
  let earliest: number | null = null;
  // The last one of a chain is its own issuer.
  for (let at: DetailedPeerCertificate | undefined = leaf; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const end = Date.parse(at.valid_to ?? '');
    if (!Number.isNaN(end)) earliest = Math.min(earliest ?? end, end);
    at = at.issuerCertificate;
  }
  return earliest;
}
