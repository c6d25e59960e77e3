import { z } from 'zod';

export const TASKS_SCHEMA = 'weighbridge.probe-tasks/1';

/** How a task ended; `lost` is one of which no id was ever seen, `rejected` one that the gateway refused. */
const TASK_FINALS = ['completed', 'failed', 'timeout', 'lost', 'rejected'] as const;
export type TaskFinal = (typeof TASK_FINALS)[number];

const TASK_APIS = ['image_job', 'image_edit_job', 'video'] as const;

const intent = {
  /** Of the planned run: one run creates one task at most. Also the id of its reservation. */
  id: z.string(),
  target: z.string(),
  probe: z.string(),
  api: z.enum(TASK_APIS),
  model: z.string(),
  /** Milliseconds since the epoch. */
  intended_ms: z.number(),
  /** From when on it is no longer waited for. */
  deadline_ms: z.number(),
  size: z.string().nullable(),
  quality: z.string().nullable(),
  seconds: z.number().nullable(),
};
const taskIntent = z.strictObject(intent).readonly();

/** A task that is to be created, written down before it is asked for. */
export type TaskIntent = z.infer<typeof taskIntent>;

const accepted = {
  /** The gateway's. */
  task_id: z.string(),
  /** Of the paid call in the ledger, under which the reads of the task are written. */
  call_id: z.string(),
  logical_id: z.string(),
  scenario: z.string(),
  accepted_ms: z.number(),
};
const acceptedTask = z.strictObject(accepted).readonly();
export type AcceptedTask = z.infer<typeof acceptedTask>;

/** A task that the gateway has accepted and of which no end was seen. */
export type UnfinishedTask = TaskIntent & AcceptedTask;

/** What a task file says behind its first line; docs/state.md explains it. */
export const taskLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('intent'), task: taskIntent }),
  z.strictObject({ kind: z.literal('accepted'), id: z.string(), task: acceptedTask }),
  z.strictObject({ kind: z.literal('closed'), id: z.string(), final: z.enum(TASK_FINALS) }),
]);
export type TaskLine = z.infer<typeof taskLine>;
