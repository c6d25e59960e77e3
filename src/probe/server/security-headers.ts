import { createHash } from 'node:crypto';

/** Sent with every answer. No page of another site may read or frame one; nothing is kept by caches. */
export function securityHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** For what is no page. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For a page of one script and one style, named by their hashes: what another text smuggles in neither runs nor paints. */
export function pagePolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
