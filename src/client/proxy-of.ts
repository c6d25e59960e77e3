import { BlockList, isIP } from 'node:net';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SCHEMES = ['http:', 'https:', 'socks5:', 'socks5h:'];

/**
 * The proxy for a URL, or null: the rules of Go's net/http, which our k6 follows, so that a run and the reads around it
 * take the same way. `HTTPS_PROXY` or `HTTP_PROXY` by the URL's scheme, upper case before lower; loopback never; the
 * entries of `NO_PROXY` are host names (with subdomains), `.suffixes`, `*.suffixes`, addresses, CIDR blocks, each but
 * the last with an optional `:port`, or `*`. Throws `proxy_invalid` without repeating the value: it may hold a password.
 */
export function proxyOf(url: URL, environment: Environment): URL | null {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const name = names.find((candidate) => (environment[candidate] ?? '') !== '');
  if (name === undefined) return null;
  const proxy = proxyUrl(name, environment[name] ?? '');
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = url.port === '' ? defaultPort(url) : url.port;
  const except = environment['NO_PROXY'] || environment['no_proxy'] || '';
  return isLoopback(host) || isExcepted(host, port, except) ? null : proxy;
}

function proxyUrl(name: string, text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const parsed = URL.canParse(address) ? new URL(address) : null;
  if (parsed !== null && parsed.hostname !== '' && SCHEMES.includes(parsed.protocol)) return parsed;
  throw new WeighbridgeError({
    code: 'proxy_invalid',
    message: `${name} must be an http, https or socks5 URL, or host:port.`,
    hint: `Set ${name} to an address such as http://proxy.example:3128, or unset it.`,
    exitCode: EXIT.usage,
  });
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isExcepted(host: string, port: string, except: string): boolean {
  return except
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && (entry === '*' || matches(host, port, entry)));
}

function matches(host: string, port: string, entry: string): boolean {
  const block = /^([^/]+)\/(\d+)$/.exec(entry);
  if (block !== null) return isInBlock(host, block[1] ?? '', Number(block[2]));
  const { name, port: entryPort } = splitPort(entry);
  if (name === '' || (entryPort !== '' && entryPort !== port)) return false;
  if (isIP(name) !== 0) return isInBlock(host, name, isIP(name) === 4 ? 32 : 128);
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  if (suffix.startsWith('.')) return host.endsWith(suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
}

function splitPort(entry: string): { readonly name: string; readonly port: string } {
  const bracketed = /^\[([^\]]*)\](?::(\d*))?$/.exec(entry);
  if (bracketed !== null) return { name: bracketed[1] ?? '', port: bracketed[2] ?? '' };
  const parts = entry.split(':');
  return parts.length === 2 ? { name: parts[0] ?? '', port: parts[1] ?? '' } : { name: entry, port: '' };
}

function isInBlock(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  const hostFamily = isIP(host);
  if (family === 0 || hostFamily === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, hostFamily === 4 ? 'ipv4' : 'ipv6');
}
