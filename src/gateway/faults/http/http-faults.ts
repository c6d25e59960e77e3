import type { FaultDefinition } from '../fault-definition.ts';

/** Faults of status codes, headers and error bodies. */
export const HTTP_FAULTS: readonly FaultDefinition[] = [];
