import * as z from 'zod';
import { duration, positiveDuration } from './duration.ts';
import { optional, share, wholeBetween } from './key-schemas.ts';

/** What may be sent again (interface §7). */
export const retry = z.strictObject({
  max_attempts: optional(
    wholeBetween(1, 10),
    'How often a call is sent at most. 1 means no retry. A completed request that is sent again can be charged again.',
  ),
  first_wait: optional(duration, 'Wait before the second attempt. A longer Retry-After is obeyed.'),
  factor: optional(z.number().min(1).max(10), 'Factor from each wait to the next.'),
  max_wait: optional(duration, 'Longest wait. If Retry-After asks for more, the call is not sent again.'),
  jitter: optional(
    z.number().min(0).max(1),
    'Each wait grows by a random share of itself, up to this share.',
  ),
});

const TTL_RULE = 'must be "inf", "0" or a time such as "30s" or "5m"';
const ADDRESS_RULE =
  'must be an IP address, with a port where it differs, such as "127.0.0.1:8443" or "[::1]:8443"';

const hostName = z.string().regex(/^(\*\.)?[0-9a-zA-Z_-]+(\.[0-9a-zA-Z_-]+)*(:\d{1,5})?$/, {
  error: 'must be a host name such as "gateway.example", "*.gateway.example" or "gateway.example:8443"',
});

const address = z
  .string({ error: ADDRESS_RULE })
  .refine((text) => z.ipv4().or(z.ipv6()).safeParse(hostOf(text)).success && portFits(text), {
    error: ADDRESS_RULE,
  });

function hostOf(text: string): string {
  return text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
}

function portFits(text: string): boolean {
  const port = /^(?:\[.*\]|[\d.]+):(\d+)$/.exec(text)?.[1];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

/** How connections are made; the names are k6's where it has one. */
export const http = z.strictObject({
  rps: optional(
    wholeBetween(1, 1_000_000),
    'Most requests per second of the whole run, polls and downloads included. Default: no limit.',
  ),
  debug: optional(
    z.enum(['off', 'headers', 'full']),
    'Log requests and answers with secrets masked: headers only, or bodies too. They go to run.log in the run folder, or to stderr for a k6 by hand.',
  ),
  http2: optional(z.boolean(), 'Use HTTP/2 if the target offers it.'),
  reuse: optional(
    z.enum(['vu', 'iteration', 'none']),
    'How long a connection is kept: with its virtual user, for one call, or for one request.',
  ),
  dns: z
    .strictObject({
      ttl: optional(
        z.string({ error: TTL_RULE }).regex(/^(inf|0|\d{1,6}(ms|s|m|h))$/, { error: TTL_RULE }),
        'How long an address is kept: a time, "0" for never, "inf" for no limit.',
      ),
      select: optional(z.enum(['first', 'random', 'roundRobin']), 'Which of several addresses is taken.'),
      policy: optional(
        z.enum(['preferIPv4', 'preferIPv6', 'onlyIPv4', 'onlyIPv6', 'any']),
        'Which family of addresses is taken.',
      ),
    })
    .optional(),
  hosts: optional(
    z.record(hostName, address),
    'Addresses to use instead of those of a name, such as `gateway.example: "127.0.0.1:8443"`.',
  ),
  insecure_skip_tls_verify: optional(z.boolean(), 'Accept any certificate.'),
  tls_min: optional(z.enum(['tls1.2', 'tls1.3']), 'Lowest version of TLS. Default: that of Node and Go.'),
});

const stop = z
  .strictObject({
    over: optional(positiveDuration, 'The rules look at calls that ended within this last stretch of time …'),
    min_calls: optional(wholeBetween(1, 1_000_000), '… once there are at least this many.'),
    share_429: optional(share, 'Stop if a larger share was refused with 429.'),
    share_5xx: optional(share, 'Stop if a larger share ended with a 5xx.'),
  })
  .superRefine((rules, context) => {
    if (rules.share_429 !== undefined || rules.share_5xx !== undefined) return;
    context.addIssue({ code: 'custom', message: 'needs share_429, share_5xx or both' });
  })
  .describe('Rules that stop the run with exit 4.');

export const limits = z.strictObject({
  max_in_flight: optional(
    wholeBetween(1, 1_000_000),
    'Most calls in flight of all scenarios together; a start beyond it is dropped and counted.',
  ),
  keep_credit: optional(
    share,
    "Stop (exit 6) when the account's remaining quota falls under this share of its value at the start.",
  ),
  stop: stop.optional(),
});
