import type { EvidenceCall } from './evidence-call.ts';
import type { EvidencePlace } from './evidence-error.ts';
import type { EvidenceItem } from './evidence-items.ts';

/** A call and the line it was read from. */
export interface PlacedCall {
  readonly call: EvidenceCall;
  readonly line: number;
}

/** What an importer made of one entry: calls, and what it left aside, each with its reason. */
export interface Imported {
  readonly calls: readonly EvidenceCall[];
  /** One reason for each thing that is no call of a model: nothing is left out without one. */
  readonly left_aside: readonly string[];
}

/**
 * Reads the entries of one format. Throws `evidence_corrupt` for an entry of this format that cannot be
 * read.
 */
export interface EvidenceImporter {
  readonly name: string;
  /** Members of a row that this format has no place for. */
  readonly lacks: readonly string[];
  /** What it holds and is not taken, with the reason. */
  readonly not_taken: readonly string[];
  recognises(item: EvidenceItem): boolean;
  read(item: EvidenceItem, place: EvidencePlace): Imported;
}

export function oneCall(call: EvidenceCall, left_aside: readonly string[] = []): Imported {
  return { calls: [call], left_aside };
}

export function leftAside(reason: string): Imported {
  return { calls: [], left_aside: [reason] };
}
