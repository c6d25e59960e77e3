import * as z from 'zod';
import { PROBED_KINDS } from '../contracts/probe-plan.ts';
import { positiveDuration } from './duration.ts';
import { optional } from './key-schemas.ts';
import { modelId } from './model-id.ts';
import { probeName } from './probe-names.ts';
import { checkListedProbe } from './probe-rules.ts';
import { maxTokens, paidEvery, prompt, quality, seconds, size } from './probe-values.ts';

/** Names that free and negative probes have. */
function isReserved(name: string): boolean {
  return /^(models|pricebook|usage|usage_requests|account|negative-.*)$/i.test(name);
}

export const listedProbe = z
  .strictObject({
    name: optional(
      probeName.refine((name) => !isReserved(name), {
        error: 'must not be the name of a free or negative probe',
      }),
      'Name in metrics. Default: api, `stream` where it streams, and model.',
    ),
    api: z.enum(PROBED_KINDS).describe('What is called.'),
    model: modelId.describe('Model id.'),
    stream: optional(z.boolean(), 'Text: streamed. Default: false.'),
    every: optional(paidEvery, 'Time from one run to the next. Default: as for its sort above.'),
    timeout: optional(positiveDuration, 'Longest run; jobs and videos: longest answer to a request.'),
    task_timeout: optional(positiveDuration, 'Jobs and videos: from submit to the final state.'),
    max_tokens: optional(maxTokens, 'Text: most output asked for.'),
    prompt: optional(prompt, 'What is asked. Default: a few built-in words.'),
    cached: optional(z.boolean(), 'Text kinds: a prompt cache can match the prompt. Default: false.'),
    size: optional(size, 'Images and videos: width x height.'),
    quality: optional(quality, 'Images: quality asked for.'),
    seconds: optional(seconds, 'Videos: length asked for.'),
  })
  .superRefine(checkListedProbe)
  .describe('Paid probes one by one, beside those of text, images and videos.');
export type ListedProbe = z.infer<typeof listedProbe>;
