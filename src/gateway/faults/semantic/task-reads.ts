import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { createsTask } from './media-calls.ts';

const vanish = defineFault({
  id: 'sem.vanish_404',
  summary: 'After some status reads every read of the task is 404. The task itself goes on and is charged.',
  charge: 'charged',
  shape: { after_polls: z.int().min(0).max(1000).default(1).describe('Status reads that still find it.') },
  applies: createsTask,
  arm: ({ after_polls }, { fire }) => ({
    gone(polls) {
      if (polls < after_polls) return false;
      fire();
      return true;
    },
  }),
});

const completedNoResult = defineFault({
  id: 'sem.completed_no_result',
  summary: 'The task is completed and charged, but its result is refused.',
  charge: 'charged',
  shape: {
    status: z
      .literal([404, 409])
      .default(404)
      .describe('404: as if there were none; 409: as if it were not completed.'),
  },
  applies: createsTask,
  arm: ({ status }, { fire }) => ({
    refused() {
      fire();
      return status;
    },
  }),
});

const visibleToOthers = defineFault({
  id: 'sem.job_other_account_visible',
  summary: 'The task and its result are served to keys of other accounts too.',
  charge: 'charged',
  shape: {},
  applies: createsTask,
  arm: (_parameters, { fire }) => ({
    shared() {
      fire();
      return true;
    },
  }),
});

const crossTaskResult = defineFault({
  id: 'sem.cross_task_result',
  summary: 'The result is that of the last other completed task, of whatever account.',
  charge: 'charged',
  shape: {},
  applies: createsTask,
  arm: (_parameters, { fire }) => ({
    crossed() {
      fire();
      return true;
    },
  }),
});

/** Reads that find the wrong task, or none. */
export const TASK_READS = [vanish, completedNoResult, visibleToOthers, crossTaskResult];
