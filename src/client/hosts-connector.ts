import { buildConnector } from 'undici';

/** Addresses in place of a name's, as k6's option `hosts` has them: `name`, `name:port` or `*.name` to `ip` or `ip:port`. */
export type Hosts = Readonly<Record<string, string>>;

/** A connector that leads a name to its address; the certificate is still checked against the name. */
export function hostsConnector(hosts: Hosts, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
    const address = addressOf(target.hostname, port, hosts);
    if (address === null) return connect(target, callback);
    const servername = target.servername ?? target.hostname;
    return connect({ ...target, servername, hostname: address.ip, port: address.port ?? port }, callback);
  };
}

/** What a name is led to, or null; `port` is null where it stays. */
export function addressOf(
  name: string,
  port: string,
  hosts: Hosts,
): { readonly ip: string; readonly port: string | null } | null {
  const wildcards = Object.keys(hosts)
    .filter(
      (key) =>
        key.startsWith('*') && (name.endsWith(key.slice(1)) || `${name}:${port}`.endsWith(key.slice(1))),
    )
    .sort((a, b) => b.length - a.length);
  const key = [`${name}:${port}`, name, ...wildcards].find((candidate) => Object.hasOwn(hosts, candidate));
  const text = key === undefined ? undefined : hosts[key];
  if (text === undefined) return null;
  const found = /^\[(.+)\]:(\d+)$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text);
  return found === null ? { ip: text, port: null } : { ip: found[1] ?? '', port: found[2] ?? null };
}
