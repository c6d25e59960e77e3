import { type HazardSeen, READ_HAZARDS, type ReadHazard } from '../contracts/usage-lines.ts';

const MOST_READS = 10;

/** Which hazards of reading a sweep met, and which answers show it. */
export class HazardLog {
  readonly #met = new Map<ReadHazard, Set<string>>();

  met(hazard: ReadHazard, answerId: string | null = null): void {
    const reads = this.#met.get(hazard) ?? new Set();
    if (answerId !== null && reads.size < MOST_READS) reads.add(answerId);
    this.#met.set(hazard, reads);
  }

  seen(): readonly HazardSeen[] {
    return READ_HAZARDS.map((hazard) => ({
      hazard,
      met: this.#met.has(hazard),
      reads: [...(this.#met.get(hazard) ?? [])],
    }));
  }
}
