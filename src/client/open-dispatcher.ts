import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { HttpOptions } from '../contracts/plan.ts';
import { hostsConnector } from './hosts-connector.ts';
import { type Environment, proxyOf } from './proxy-of.ts';
import { trustedRoots } from './trusted-roots.ts';

/** The part of a plan's HTTP options that decides how a connection is made. */
export type ConnectionOptions = Pick<HttpOptions, 'http2' | 'hosts' | 'insecure_skip_tls_verify' | 'tls_min'>;

export const DEFAULT_CONNECTION: ConnectionOptions = {
  http2: true,
  hosts: {},
  insecure_skip_tls_verify: false,
  tls_min: null,
};

const CONNECTIONS = 4;

/**
 * Connections to one target, made as our k6 makes them: direct or through the proxy of the environment, with its
 * trusted roots where TLS is spoken. As in k6, `hosts` leads the names that are dialled: through a proxy, not the target's.
 */
export function openDispatcher(
  root: string,
  environment: Environment,
  options: ConnectionOptions = DEFAULT_CONNECTION,
): Dispatcher {
  const url = new URL(root);
  const proxy = proxyOf(url, environment);
  const isSecure = url.protocol === 'https:' || proxy?.protocol === 'https:';
  const tls = isSecure
    ? {
        secureContext: trustedRoots(environment, options.tls_min),
        rejectUnauthorized: !options.insecure_skip_tls_verify,
      }
    : {};
  const connect = { ...tls, allowH2: options.http2 };
  if (proxy === null) {
    return new Agent({ connections: CONNECTIONS, connect: hostsConnector(options.hosts, connect) });
  }
  // undici knows socks5 by one name; names are looked up at the proxy's end either way.
  const uri = proxy.href.replace(/^socks5h:/, 'socks5:');
  return new ProxyAgent({
    uri,
    connections: CONNECTIONS,
    allowH2: options.http2,
    requestTls: tls,
    proxyTls: tls,
  });
}
