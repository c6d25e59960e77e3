import type { IncomingHttpHeaders } from 'node:http';

/**
 * True for a request that a browser makes for a page of another site, with our reader's password: it could reload the
 * configuration or run probes. Prometheus, curl and pages of our own pass.
 */
export function isCrossSite({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}
