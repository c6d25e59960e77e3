import * as z from 'zod';
import { defineFault, firing, plainFault } from '../../hooks/fault-definition.ts';
import { createsTask } from '../hit.ts';

const polls = z.int().min(1).max(1000).default(1).describe('Status reads that report it.');

const backwardStatus = defineFault({
  id: 'sem.backward_status',
  summary:
    'After a status was reported, status reads report an earlier one. The task itself goes on and is charged.',
  shape: {
    from: z
      .enum(['completed', 'in_progress'])
      .default('completed')
      .describe('The status after which the one before it is reported.'),
    polls,
  },
  applies: createsTask,
  arm({ from, polls: wanted }, { fire }) {
    let seen = false;
    let left = wanted;
    return {
      polled(view) {
        const wasSeen = seen;
        seen ||= view.status === from;
        if (!wasSeen || left === 0 || view.status === 'failed') return null;
        left -= 1;
        fire();
        return from === 'completed'
          ? { ...view, status: 'in_progress', progress: 50 }
          : { ...view, status: 'queued', progress: 0 };
      },
    };
  },
});

const unknownStatus = defineFault({
  id: 'sem.unknown_status',
  summary:
    'The first status reads report a status that is none of the four. The task itself goes on and is charged.',
  shape: { status: z.string().min(1).max(64).default('unknown').describe('What is told.'), polls },
  applies: createsTask,
  arm: ({ status, polls: wanted }, { fire }) => ({
    polled: firing(fire, (view, poll) => (poll > wanted ? null : { ...view, status })),
  }),
});

const progressBack = plainFault({
  id: 'sem.progress_back',
  summary: 'Once, progress is half of what an earlier status read reported.',
  applies: createsTask,
  arm({ fire }) {
    let highest = 0;
    let isOver = false;
    return {
      polled(view) {
        if (highest === 0 || isOver) {
          highest = Math.max(highest, view.progress);
          return null;
        }
        isOver = true;
        fire();
        return { ...view, progress: Math.floor(highest / 2) };
      },
    };
  },
});

const errorWithoutFailed = plainFault({
  id: 'sem.error_without_failed',
  summary: 'Status reads carry an error while the status is not failed. The task is completed and charged.',
  applies: createsTask,
  arm: ({ fire }) => ({
    polled: firing(fire, (view) =>
      view.status === 'failed'
        ? null
        : {
            ...view,
            error: { code: 'upstream_error', message: 'The model returned an invalid response' },
          },
    ),
  }),
});

/** Status reads that do not tell what the task does. */
export const TOLD_STATUS = [backwardStatus, unknownStatus, progressBack, errorWithoutFailed];
