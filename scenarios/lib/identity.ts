import { markerOf } from '../../src/core/marker.ts';

/** What names a planned call in the ledger and in the gateway's journal. */
export interface CallIdentity {
  readonly nonce: string;
  readonly instance: string;
  readonly scenario: string;
  readonly n: number;
}

/** The ids of one attempt, and its prompt with the marker in front. */
export function identify(identity: CallIdentity, attempt: number, prompt: string) {
  const callId = `${identity.instance}/${identity.scenario}/${identity.n}/${attempt}`;
  const marked = `${markerOf(identity.nonce, callId)} ${prompt}`;
  return {
    ids: { call_id: callId, logical_id: `${identity.scenario}/${identity.n}`, attempt },
    prompt: marked,
    prompt_bytes: utf8Length(marked),
  };
}

/** Bytes of a text in UTF-8; a lone surrogate counts as its replacement character. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
