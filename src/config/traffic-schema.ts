import * as z from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { positiveDuration } from './duration.ts';
import { modelId } from './model-id.ts';
import { moneyText } from './money-text.ts';
import { rate } from './rate.ts';
import { share } from './share.ts';
import { textKeys } from './text-keys.ts';
import { scenarioName } from './traffic-names.ts';

const stage = z.strictObject({
  duration: positiveDuration.describe('Length of the stage.'),
  rate: rate.describe("Rate at the stage's end, reached linearly from the rate before it."),
});

const abort = z
  .strictObject({
    share: share.describe('Share of calls that are cut.'),
    after: positiveDuration.optional().describe('Cut so long after the call was sent …'),
    after_events: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('… or after so many events of its stream, whichever comes first.'),
  })
  .describe('Calls cut on purpose, to audit what a disconnect costs.');

export const trafficKeys = z.strictObject({
  name: scenarioName
    .optional()
    .describe('Name in tables and findings. Default: the kind, numbered when it occurs again.'),
  kind: z.enum(PAID_KINDS).describe('What is called.'),
  model: modelId
    .optional()
    .describe('Model id. Default: the cheapest priced model of the kind that the target lists.'),
  rate: rate
    .optional()
    .describe('Starts per second, minute or hour; with stages, the rate before the first of them.'),
  stages: z
    .array(stage)
    .min(1)
    .max(100)
    .optional()
    .describe('Linear ramps one after the other. What is left of the duration holds the last rate.'),
  arrival: z
    .enum(['even', 'poisson', 'gamma'])
    .optional()
    .describe('How the starts lie around the rate: evenly, or with random gaps whose mean the rate gives.'),
  burstiness: z
    .number()
    .min(0.01)
    .max(1_000)
    .optional()
    .describe(
      'Shape of the gamma distribution of gaps, for arrival: gamma. Below 1 starts come in bursts, 1 is poisson.',
    ),
  concurrency: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('In place of a rate: so many calls are under way at all times, the next starts when one ends.'),
  max_calls: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('Stop after so many starts. Default: as many as the rate gives.'),
  max_in_flight: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'Most calls in flight at once; a start beyond it is dropped and counted. Default with concurrency: as that.',
    ),
  max_usd: moneyText.optional().describe('Most of the spend cap that this scenario may take, quoted.'),
  abort: abort.optional(),
  ...textKeys,
  size: z
    .string()
    .regex(/^(auto|\d{2,5}x\d{2,5})$/, { error: 'must be a size such as "1024x1024"' })
    .optional()
    .describe('Images and videos: width x height.'),
  quality: z.enum(['auto', 'low', 'medium', 'high']).optional().describe('Images: quality asked for.'),
  response_format: z.enum(['url', 'b64_json']).optional().describe('Images: how the result comes.'),
  multipart: share
    .optional()
    .describe('Image edits: share of calls sent as multipart/form-data; the rest is JSON.'),
  seconds: z.int().min(1).max(600).optional().describe('Videos: length asked for.'),
});

export type TrafficFile = z.infer<typeof trafficKeys>;
