import * as z from 'zod';
import { defineFault, type FaultDefinition, firing, plainFault } from '../../hooks/fault-definition.ts';
import { createsTask } from '../hit.ts';
import { TOLD_STATUS } from './told-status.ts';

const DAY_MS = 86_400_000;
const FAILURE = { code: 'upstream_error', message: 'The model could not finish this task' };

const taskFailed = plainFault({
  id: 'sem.task_failed_200',
  summary: 'A task fails: reads answer 200 with status failed and an error, and its reserve is refunded.',
  charge: 'not_charged',
  applies: createsTask,
  arm: ({ fire }) => ({
    fails: firing(fire, () => FAILURE),
  }),
});

const failedWithoutError = plainFault({
  id: 'sem.failed_without_error',
  summary: 'A task fails and is refunded, but its error is null.',
  charge: 'not_charged',
  applies: createsTask,
  arm: ({ fire }) => ({
    fails: () => FAILURE,
    polled: firing(fire, (view) => (view.status !== 'failed' ? null : { ...view, error: null })),
  }),
});

const stuckInProgress = defineFault({
  id: 'sem.stuck_in_progress',
  summary: 'A task stays in progress when it should end. Its reserve stays until it ends, if ever.',
  charge: 'varies',
  shape: {
    for_ms: z.int().min(0).max(DAY_MS).default(0).describe('Milliseconds; 0: for good.'),
  },
  applies: createsTask,
  arm({ for_ms }, { fire }) {
    let isOver = false;
    return {
      held(move, reserved) {
        if (move !== 'end' || isOver) return null;
        isOver = for_ms > 0;
        fire(isOver ? 0n : reserved);
        return isOver ? for_ms : Number.POSITIVE_INFINITY;
      },
    };
  },
});

const queuedForever = plainFault({
  id: 'sem.queued_forever',
  summary: 'A task never leaves the queue. Its reserve is never charged and never released.',
  charge: 'wrong',
  applies: createsTask,
  arm: ({ fire }) => ({
    held(move, reserved) {
      if (move !== 'start') return null;
      fire(reserved);
      return Number.POSITIVE_INFINITY;
    },
  }),
});

/** Tasks that end otherwise than asked for, or not at all. */
const TASK_ENDS = [taskFailed, failedWithoutError, stuckInProgress, queuedForever];

const vanish = defineFault({
  id: 'sem.vanish_404',
  summary: 'After some status reads every read of the task is 404. The task itself goes on and is charged.',
  shape: { after_polls: z.int().min(0).max(1000).default(1).describe('Status reads that still find it.') },
  applies: createsTask,
  arm: ({ after_polls }, { fire }) => ({
    gone: firing(fire, (polls) => polls >= after_polls),
  }),
});

const completedNoResult = defineFault({
  id: 'sem.completed_no_result',
  summary: 'The task is completed and charged, but its result is refused.',
  shape: {
    status: z
      .literal([404, 409])
      .default(404)
      .describe('404: as if there were none; 409: as if it were not completed.'),
  },
  applies: createsTask,
  arm: ({ status }, { fire }) => ({
    refused: firing(fire, () => status),
  }),
});

const visibleToOthers = plainFault({
  id: 'sem.job_other_account_visible',
  summary: 'The task and its result are served to keys of other accounts too.',
  applies: createsTask,
  arm: ({ fire }) => ({
    shared: firing(fire, () => true),
  }),
});

const crossTaskResult = plainFault({
  id: 'sem.cross_task_result',
  summary: 'The result is that of the last other completed task, of whatever account.',
  applies: createsTask,
  arm: ({ fire }) => ({
    crossed: firing(fire, () => true),
  }),
});

/** Reads that find the wrong task, or none. */
const TASK_READS = [vanish, completedNoResult, visibleToOthers, crossTaskResult];

/** Faults of image jobs and video tasks. */
export const TASK_FAULTS: readonly FaultDefinition[] = [...TASK_ENDS, ...TOLD_STATUS, ...TASK_READS];
