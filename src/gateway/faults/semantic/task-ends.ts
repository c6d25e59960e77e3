import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { createsTask } from './media-calls.ts';

const DAY_MS = 86_400_000;
const FAILURE = { code: 'upstream_error', message: 'The model could not finish this task' };

const taskFailed = defineFault({
  id: 'sem.task_failed_200',
  summary: 'A task fails: reads answer 200 with status failed and an error, and its reserve is refunded.',
  charge: 'not_charged',
  shape: {},
  applies: createsTask,
  arm: (_parameters, { fire }) => ({
    fails() {
      fire();
      return FAILURE;
    },
  }),
});

const failedWithoutError = defineFault({
  id: 'sem.failed_without_error',
  summary: 'A task fails and is refunded, but its error is null.',
  charge: 'not_charged',
  shape: {},
  applies: createsTask,
  arm: (_parameters, { fire }) => ({
    fails: () => FAILURE,
    polled(view) {
      if (view.status !== 'failed') return null;
      fire();
      return { ...view, error: null };
    },
  }),
});

const stuckInProgress = defineFault({
  id: 'sem.stuck_in_progress',
  summary: 'A task stays in progress when it should end. What it reserved is held until it ends, if ever.',
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

const queuedForever = defineFault({
  id: 'sem.queued_forever',
  summary: 'A task never leaves the queue. What it reserved is never charged and never given back.',
  charge: 'wrong',
  shape: {},
  applies: createsTask,
  arm: (_parameters, { fire }) => ({
    held(move, reserved) {
      if (move !== 'start') return null;
      fire(reserved);
      return Number.POSITIVE_INFINITY;
    },
  }),
});

/** Tasks that end otherwise than asked for, or not at all. */
export const TASK_ENDS = [taskFailed, failedWithoutError, stuckInProgress, queuedForever];
