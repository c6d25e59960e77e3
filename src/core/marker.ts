const MASK = (1n << 64n) - 1n;

/**
 * The fixed-length text that makes a prompt unique and by which a gateway's journal names a call:
 * `wb` and 16 hex digits from the plan's nonce and the call id. It stands before all that is the call's own, so that no
 * cache can match that.
 */
export function markerOf(nonce: string, callId: string): string {
  return `wb${hash64(`${nonce}\u0000${callId}`).toString(16).padStart(16, '0')}`;
}

export const MARKER_PATTERN = /\bwb[0-9a-f]{16}\b/;
const EACH_MARKER = new RegExp(MARKER_PATTERN, 'g');

/** The marker of a prompt's own call: the last one, since a turn of a session carries those of the turns before it. */
export function markerIn(prompt: string): string | null {
  return prompt.match(EACH_MARKER)?.at(-1) ?? null;
}

/** A prompt as it is in every run of its plan. */
export function withoutMarkers(prompt: string): string {
  return prompt.replace(EACH_MARKER, '');
}

/** FNV-1a over UTF-16 units, then a 64-bit finaliser: not for secrets, only to spread. */
export function hash64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = ((hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & MASK;
  }
  return mix64(hash);
}

/** Bijective mixing of 64 bits (the finaliser of MurmurHash3). */
export function mix64(value: bigint): bigint {
  let mixed = value & MASK;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return mixed ^ (mixed >> 33n);
}
