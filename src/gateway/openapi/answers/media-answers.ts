import * as z from 'zod';
import { IMAGE_QUALITIES } from '../../models/image-models.ts';
import { progress, taskError, taskStatus, unixTime } from './plain-values.ts';

/** interface §2, image response: `response_format` decides which of the two fields an item has. */
export const imageResponse = z.strictObject({
  created: unixTime,
  data: z
    .array(
      z.union([
        z.strictObject({ url: z.url().describe('Works without a credential for an hour') }),
        z.strictObject({ b64_json: z.base64() }),
      ]),
    )
    .length(1),
  size: z.string().regex(/^[0-9]+x[0-9]+$/),
  quality: z.enum(IMAGE_QUALITIES),
  output_format: z.literal('png'),
});

/** interface §2, image job. */
export const imageJob = z.strictObject({
  job_id: z.string().regex(/^imgjob_/),
  object: z.literal('image.job'),
  kind: z.enum(['generation', 'edit']),
  model: z.string(),
  status: taskStatus,
  progress,
  created_at: unixTime,
  started_at: unixTime.nullable(),
  completed_at: unixTime.nullable(),
  expires_at: unixTime,
  request_id: z.string().describe('That of the submission, as in its usage record'),
  error: taskError,
});

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
