import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { MEDIA_FAULTS } from './media-faults.ts';
import { TASK_FAULTS } from './task-faults.ts';
import { TEXT_FAULTS } from './text-faults.ts';

/** Well-formed answers that say something wrong, and tasks that go astray. */
export const SEMANTIC_FAULTS: readonly FaultDefinition[] = [...TASK_FAULTS, ...MEDIA_FAULTS, ...TEXT_FAULTS];
