import { isIP } from 'node:net';

const HOST = /^(?:\[([\da-f:.]+)\]|([^:[\]@/\s]+))(?::\d{1,5})?$/i;

/**
 * True for a `Host` that no stranger's name server can point at this machine: an address or localhost. A page whose name
 * resolves to a loopback address later (DNS rebinding) still asks for its own name, and would pass for the same site.
 * Without the header, which every browser sends, nothing is asked by a page.
 */
export function isOwnHost(host: string | undefined): boolean {
  if (host === undefined) return true;
  const match = HOST.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}
