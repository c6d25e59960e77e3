import type { FaultDefinition } from '../fault-definition.ts';

/** Well-formed answers that say something wrong, and tasks that go astray. */
export const SEMANTIC_FAULTS: readonly FaultDefinition[] = [];
