import { createHmac } from 'node:crypto';
import type { PromptPrefix } from '../contracts/ledger-lines.ts';
import { promptUnits } from './prompt-units.ts';

/** Keeps the digests apart from all else that is made of a key. */
const LABEL = 'weighbridge.prefix/1';
/** No cache holds less. */
const LEAST_BYTES = 256;
/** Where the edges inside a long message begin. */
const FIRST_RUNG = 1024;
/** A row keeps so many edges: those that many calls share, and those at which a conversation goes on. */
const [MOST_FIRST, MOST_LAST] = [16, 32];
const CHAIN_BYTES = 32;
const SHOWN_DIGITS = 16;

/**
 * Beginnings of the prompt in a request body, the shortest first; null for a body without one. Edges are the ends of
 * tools, of the system's text and of messages, and rungs at 1024, 1536, 2048, 3072 … bytes. xk6/prefix gives the same.
 */
export function promptPrefixes(key: string, body: Uint8Array): readonly PromptPrefix[] | null {
  const units = promptUnits(body);
  if (units === null) return null;
  const own = createHmac('sha256', key).update(LABEL).digest();
  const edges: PromptPrefix[] = [];
  let chain: Uint8Array = new Uint8Array(CHAIN_BYTES);
  let bytes = 0;
  for (const unit of units) {
    for (let at = 0; at < unit.length; ) {
      const part = unit.subarray(at, at + rungAfter(bytes) - bytes);
      at += part.length;
      bytes += part.length;
      const digest = createHmac('sha256', own).update(chain).update(part).digest();
      chain = digest;
      if (bytes >= LEAST_BYTES) edges.push({ bytes, digest: digest.toString('hex').slice(0, SHOWN_DIGITS) });
    }
  }
  const isMore = edges.length > MOST_FIRST + MOST_LAST;
  return isMore ? [...edges.slice(0, MOST_FIRST), ...edges.slice(-MOST_LAST)] : edges;
}

/** The next of 1024, 1536, 2048, 3072, 4096 … beyond so many bytes. */
function rungAfter(bytes: number): number {
  let rung = FIRST_RUNG;
  while (rung <= bytes) {
    if (rung * 1.5 > bytes) return rung * 1.5;
    rung *= 2;
  }
  return rung;
}
