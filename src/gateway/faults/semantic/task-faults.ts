import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { TASK_ENDS } from './task-ends.ts';
import { TASK_READS } from './task-reads.ts';
import { TOLD_STATUS } from './told-status.ts';

/** Faults of image jobs and video tasks. */
export const TASK_FAULTS: readonly FaultDefinition[] = [...TASK_ENDS, ...TOLD_STATUS, ...TASK_READS];
