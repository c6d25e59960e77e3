import * as z from 'zod';
import { progress, taskError, taskStatus, unixTime } from './plain-values.ts';

/** interface §2, video task. */
export const videoTask = z.strictObject({
  id: z.string().regex(/^video_/),
  object: z.literal('video'),
  model: z.string(),
  status: taskStatus,
  progress,
  created_at: unixTime,
  completed_at: unixTime.nullable(),
  expires_at: unixTime.nullable(),
  url: z.url().nullable().describe('Once completed; works without a credential for an hour'),
  seconds: z.string().regex(/^[1-9][0-9]*$/),
  size: z.string().regex(/^[0-9]+x[0-9]+$/),
  prompt: z.string(),
  remixed_from_video_id: z.null(),
  error: taskError,
});
