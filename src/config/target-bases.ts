import * as z from 'zod';

/**
 * The three bases of a gateway (interface §1), without a slash at the end. Where another version stands in the path, as in
 * `/v1beta/openai` or `/api/paas/v4`, the path itself is the base of the model calls, and of all else.
 */
export interface TargetBases {
  readonly root: string;
  readonly v1: string;
  readonly api: string;
  readonly loopback: boolean;
}

export type TargetReading = { readonly bases: TargetBases } | { readonly fault: string };

/** A segment that names a version. */
const VERSION = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/|$)/;

/** Reads a gateway's address in its root, `/v1` or `/api` form, or that of another version. Faults never repeat the text: it may hold a password. */
export function parseTarget(text: string): TargetReading {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.host === '' || /\s/.test(text)) {
    return {
      fault:
        withScheme(text) ??
        'must be the address of a gateway such as "https://host", "https://host/v1" or "https://host/api"',
    };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      fault:
        'must not contain a user or password: give the key in WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE',
    };
  }
  if (/[?#]/.test(text)) return { fault: 'must not have a query or a fragment' };
  const path = url.pathname.replace(/\/+$/, '');
  const isVersioned = !/\/(v1|api)$/.test(path) && VERSION.test(path);
  const root = `${url.origin}${path.replace(/\/(v1|api)$/, '').replace(/\/+$/, '')}`;
  const v1 = isVersioned ? root : `${root}/v1`;
  return { bases: { root, v1, api: `${root}/api`, loopback: isLoopbackBase(url.hostname) } };
}

/** Nothing else is repeated: it may be a secret that came to the wrong place. */
const HOST_WITHOUT_SCHEME =
  /^(localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z\d-]{1,63}\.)+[a-z]{2,24})(:\d{1,5})?(\/(?:v1|api)?)?$/i;

function withScheme(text: string): string | null {
  const host = HOST_WITHOUT_SCHEME.exec(text)?.[1];
  if (host === undefined) return null;
  return `must begin with "http://" or "https://", such as "${isLoopbackBase(host) ? 'http' : 'https'}://${text}"`;
}

/** True for names and addresses that never leave this machine. */
export function isLoopbackBase(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export const targetUrl = z.string().transform((text, context) => {
  const reading = parseTarget(text);
  if ('bases' in reading) return reading.bases;
  context.addIssue({ code: 'custom', message: reading.fault });
  return z.NEVER;
});
