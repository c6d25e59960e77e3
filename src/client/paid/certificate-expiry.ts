import type { DetailedPeerCertificate } from 'node:tls';

/** The moment, ms since the epoch, at which the first certificate of a chain as served ends; null where none is told. */
export function earliestExpiry(leaf: DetailedPeerCertificate): number | null {
  const seen = new Set<DetailedPeerCertificate>();
  let earliest: number | null = null;
  // The last one of a chain is its own issuer.
  for (let at: DetailedPeerCertificate | undefined = leaf; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const end = Date.parse(at.valid_to ?? '');
    if (!Number.isNaN(end)) earliest = Math.min(earliest ?? end, end);
    at = at.issuerCertificate;
  }
  return earliest;
}
