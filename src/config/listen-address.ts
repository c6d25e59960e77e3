import * as z from 'zod';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const RULE = 'must be an address and a port, such as "127.0.0.1:9464", "[::1]:9464" or ":9464" for all';
const PARTS = /^(?:\[([0-9a-fA-F:.]+(?:%[\w.-]+)?)\]|([0-9a-zA-Z.-]*)):(\d{1,5})$/;

/** Host and port of a text; null where it has not both. Without a host it is every address of the machine, IPv6 included. */
export function parseListenAddress(text: string): ListenAddress | null {
  const match = PARTS.exec(text);
  if (match === null) return null;
  const [, six, name, digits] = match;
  const port = Number(digits);
  if (port > 65_535 || (six !== undefined && !z.ipv6().safeParse(six.replace(/%.*$/, '')).success))
    return null;
  const host = six ?? name ?? '';
  return { host: host === '' ? '::' : host, port };
}

export const listenAddress = z.string({ error: RULE }).transform((text, context) => {
  const address = parseListenAddress(text);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: RULE });
  return z.NEVER;
});
