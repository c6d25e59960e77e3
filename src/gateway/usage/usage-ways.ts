import { RequestFaults } from '../hooks/request-faults.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';
import type { ServedForms } from '../readings/served-forms.ts';

/** How one usage read is answered beside the books themselves. */
export interface UsageWays {
  readonly readings: Readings;
  readonly forms: ServedForms | null;
  /** Unix seconds at which calls ended, by the ids of their records. */
  readonly endings: ReadonlyMap<string, number>;
  /** Those of the read itself. */
  readonly faults: RequestFaults;
}

export const OWN_WAYS: UsageWays = {
  readings: OWN_READINGS,
  forms: null,
  endings: new Map(),
  faults: RequestFaults.NONE,
};

/** Whether a fault may change which records the read sees, or how they are cut into pages. */
export function mayBeWrong({ faults }: UsageWays): boolean {
  return faults !== RequestFaults.NONE;
}
