import * as z from 'zod';
import { NEGATIVE_RULES } from '../contracts/probe-plan.ts';
import { budget } from './budget-schema.ts';
import { positiveDuration } from './duration.ts';
import { optional, refuseTwins, wholeBetween } from './key-schemas.ts';
import { listedProbe } from './listed-probe.ts';
import { modelId } from './model-id.ts';
import { freeEvery, maxTokens, paidEvery, prompt, quality, seconds, size } from './probe-values.ts';

const models = z.array(modelId).min(1).max(100);

const text = z
  .strictObject({
    models: models.describe('Models. Each is asked in each format.'),
    formats: optional(
      z.array(z.enum(['chat', 'responses', 'messages'])).min(1),
      'chat, responses, messages. Default: all three.',
    ),
    stream: optional(z.literal([true, false, 'both']), 'Streamed, plain, or `both`: a probe each.'),
    every: optional(paidEvery, 'Time from one run to the next, 10s or longer.'),
    timeout: optional(positiveDuration, 'Longest run.'),
    max_tokens: optional(maxTokens, 'Most output asked for.'),
    prompt: optional(prompt, 'Default: a few built-in words.'),
    cached: optional(
      z.boolean(),
      'A prompt cache can match the prompt, because the part that makes it unique is at its end. Default: false.',
    ),
  })
  .describe('Paid probes of the text formats.');

const images = z
  .strictObject({
    models: models.describe('Image models, each in each kind.'),
    kinds: optional(
      z.array(z.enum(['image', 'image_edit', 'image_job', 'image_edit_job'])).min(1),
      'image, image_edit, image_job, image_edit_job. Default: image.',
    ),
    every: optional(paidEvery, 'Time from one run to the next, 10s or longer.'),
    timeout: optional(positiveDuration, 'Longest answer to a request.'),
    task_timeout: optional(positiveDuration, 'Jobs: from submit to the final state.'),
    size: optional(size, 'Width x height.'),
    quality: optional(quality, 'Quality asked for.'),
    prompt: optional(prompt, 'Default: a few built-in words.'),
  })
  .describe('Paid probes of images.');

const videos = z
  .strictObject({
    models: models.describe('Video models.'),
    every: optional(paidEvery, 'Time from one task to the next, 10s or longer.'),
    timeout: optional(positiveDuration, 'Longest answer to a request.'),
    task_timeout: optional(positiveDuration, 'From submit to the final state.'),
    size: optional(size, 'Width x height.'),
    seconds: optional(seconds, 'Length asked for.'),
    prompt: optional(prompt, 'Default: a few built-in words.'),
  })
  .describe('Paid probes of video tasks.');

const free = z
  .strictObject({
    models: optional(freeEvery, 'How often the model list is read, with the key and without, or `off`.'),
    pricebook: optional(freeEvery, 'The same for the price book.'),
    usage: optional(freeEvery, 'The same for the usage totals; needs a key.'),
    usage_requests: optional(freeEvery, 'The same for the usage records; needs a key.'),
    account: optional(freeEvery, 'The same for the account; needs access_token and user_id.'),
  })
  .describe('Free probes. Each is on if its credentials are given.');

const negative = z
  .strictObject({
    rules: z
      .array(z.enum(NEGATIVE_RULES))
      .describe(
        `${NEGATIVE_RULES.join(', ')}. An empty list turns them off. By default they are on only if the target is loopback.`,
      ),
    every: optional(
      paidEvery,
      'Time from one run to the next: 1h or longer where the target is not loopback.',
    ),
    timeout: optional(positiveDuration, 'Longest run.'),
  })
  .describe('Probes with requests that a gateway must refuse.');

/** What is probed: keys of a target, and of the section for all targets that have none of their own. */
export const probeKeys = {
  budget: optional(
    budget,
    'Required for paid probes of every target except the embedded gateway. At a cap they pause, and free probes go on.',
  ),
  concurrency: optional(wholeBetween(1, 100), 'Probes that run at the same time on a target.'),
  watch_models: optional(
    z.array(modelId).max(500),
    'More models to watch for presence and price, beside those of the probes.',
  ),
  text: text.optional(),
  images: images.optional(),
  videos: videos.optional(),
  free: free.optional(),
  negative: negative.optional(),
  probes: z
    .array(listedProbe)
    .min(1)
    .max(500)
    .superRefine((entries, context) => {
      const names = entries.map(({ name }) => name?.toLowerCase());
      refuseTwins(context, 'probes', names);
    })
    .optional(),
};

const settings = z.strictObject(probeKeys);
/** What is probed at one target. */
export type ProbeSettings = z.infer<typeof settings>;
