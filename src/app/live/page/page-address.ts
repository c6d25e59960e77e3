import { isIP } from 'node:net';
import { type ListenAddress, parseListenAddress } from '../../../config/listen-address.ts';
import { WeighbridgeError } from '../../../contracts/failure.ts';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/**
 * Whether a request may name us so in `Host`. A page of another site can make its name lead to this machine (DNS
 * rebinding), but its requests keep that name. We answer to addresses and to the names that we were given; any port
 * will do, since a tunnel has its own.
 */
export function isOurHost(header: string | undefined, boundTo: string): boolean {
  const name = hostName(header ?? '');
  if (name === null) return false;
  if (LOOPBACK.test(name) || name === boundTo.toLowerCase()) return true;
  return !isLoopback(boundTo) && isIP(name) !== 0;
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.toLowerCase());
}

/** Without port and brackets; null for what is no host. */
function hostName(header: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9a-z.-]+))(?::\d{1,5})?$/.exec(header.toLowerCase());
  return match?.[1] ?? match?.[2] ?? null;
}

/** `--ui` and `--ui HOST:PORT`: on this machine alone unless said otherwise; null without the flag. */
export function pageAddress(flag: string | true | undefined): ListenAddress | null {
  if (flag === undefined) return null;
  if (flag === true) return { host: '127.0.0.1', port: 0 };
  const address = parseListenAddress(flag);
  if (address !== null) return address;
  throw new WeighbridgeError({
    code: 'ui_address_invalid',
    message: `--ui must be an address and a port, such as 127.0.0.1:8080, but it is "${flag}".`,
    hint: 'Give --ui alone for 127.0.0.1 and a free port. ":8080" means every address of this machine.',
  });
}
