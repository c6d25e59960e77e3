import * as z from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import { positiveDuration } from './duration.ts';
import { optional, share, wholeBetween } from './key-schemas.ts';
import { modelId } from './model-id.ts';
import { moneyText } from './money-text.ts';
import { rate } from './rate.ts';
import { requestBody } from './request-body.ts';
import { textKeys } from './text-keys.ts';
import { scenarioName } from './traffic-names.ts';

const stage = z.strictObject({
  duration: positiveDuration.describe('Length of the stage.'),
  rate: rate.describe("Rate at the stage's end, reached linearly from the rate before it."),
});

const abort = z
  .strictObject({
    share: share.describe('Share of calls that are cut.'),
    after: optional(positiveDuration, 'Cut this long after the call was sent …'),
    after_events: optional(
      wholeBetween(1, 1_000_000),
      '… or after this many events of its stream, whichever comes first.',
    ),
  })
  .describe('Calls cut on purpose, to audit what a disconnect costs.');

export const trafficKeys = z.strictObject({
  name: optional(
    scenarioName,
    'Name in tables and findings. Default: the kind, numbered when it occurs again.',
  ),
  kind: z.enum(PAID_KINDS).describe('What is called.'),
  model: optional(modelId, 'Model id. Default: the cheapest priced model of the kind that the target lists.'),
  rate: optional(rate, 'Starts per second, minute or hour; with stages, the rate before the first of them.'),
  stages: optional(
    z.array(stage).min(1).max(100),
    'Linear ramps, one after the other. The last rate lasts for the rest of the duration.',
  ),
  arrival: optional(
    z.enum(['even', 'poisson', 'gamma']),
    'How the starts are spread: evenly, or with random gaps whose mean follows the rate.',
  ),
  burstiness: optional(
    z.number().min(0.01).max(1_000),
    'Shape of the gamma distribution of gaps, for arrival: gamma. Below 1 starts come in bursts, 1 is poisson.',
  ),
  concurrency: optional(
    wholeBetween(1, 100_000),
    'Instead of a rate: this many calls are always in flight. The next starts when one ends.',
  ),
  max_calls: optional(
    wholeBetween(1, 1_000_000_000),
    'Stop after this many starts. Default: no limit beside the rate.',
  ),
  max_in_flight: optional(
    wholeBetween(1, 100_000),
    'Most calls in flight at once; a start beyond it is dropped and counted. Default with concurrency: as that.',
  ),
  max_usd: optional(moneyText, 'Part of the spend cap that this scenario may use, quoted.'),
  abort: abort.optional(),
  body: optional(
    requestBody,
    'Merged into each request body: temperature, tools, ignore_eos or whatever else the target takes. What Weighbridge sets itself, such as model and messages, is refused here.',
  ),
  ...textKeys,
  size: optional(
    z.string().regex(/^(auto|\d{2,5}x\d{2,5})$/, { error: 'must be a size such as "1024x1024"' }),
    'Images and videos: width x height.',
  ),
  quality: optional(z.enum(['auto', 'low', 'medium', 'high']), 'Images: quality asked for.'),
  response_format: optional(z.enum(['url', 'b64_json']), 'Images: form of the result.'),
  multipart: optional(share, 'Image edits: share of calls sent as multipart/form-data; the rest is JSON.'),
  seconds: optional(wholeBetween(1, 600), 'Videos: length asked for.'),
});

export type TrafficFile = z.infer<typeof trafficKeys>;
