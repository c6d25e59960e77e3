import * as z from 'zod';
import { isTextKind, PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { positiveDuration } from './duration.ts';
import { modelId } from './model-id.ts';
import { rate } from './rate.ts';
import { share } from './share.ts';
import { scenarioName } from './traffic-names.ts';

const IMAGE_KINDS: readonly PaidKind[] = ['image', 'image_edit', 'image_job', 'image_edit_job'];
const EDIT_KINDS: readonly PaidKind[] = ['image_edit', 'image_edit_job'];

const stage = z.strictObject({
  duration: positiveDuration.describe('Length of the stage.'),
  rate: rate.describe("Rate at the stage's end, reached linearly from the rate before it."),
});

/** One scenario: calls of one kind at one rate. */
export const trafficEntry = z
  .strictObject({
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
    max_in_flight: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Most calls in flight at once; a start beyond it is dropped and counted.'),
    stream: share.optional().describe('Text kinds: share of calls that stream.'),
    prompt_tokens: z
      .int()
      .min(8)
      .max(1_000_000)
      .optional()
      .describe('Text kinds: size of the prompt, about, in tokens.'),
    max_tokens: z.int().min(1).max(1_000_000).optional().describe('Text kinds: most tokens asked for.'),
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
  })
  .superRefine((entry, context) => {
    const refuse = (key: keyof typeof entry, kinds: string): void => {
      if (entry[key] === undefined) return;
      context.addIssue({ code: 'custom', path: [key], message: `belongs to ${kinds}, not to ${entry.kind}` });
    };
    if (!isTextKind(entry.kind)) {
      for (const key of ['stream', 'prompt_tokens', 'max_tokens'] as const)
        refuse(key, 'chat, responses and messages');
    }
    if (!IMAGE_KINDS.includes(entry.kind)) {
      for (const key of ['quality', 'response_format'] as const) refuse(key, 'image kinds');
    }
    if (!EDIT_KINDS.includes(entry.kind)) refuse('multipart', 'image_edit and image_edit_job');
    if (entry.kind !== 'video') refuse('seconds', 'video');
    if (isTextKind(entry.kind)) refuse('size', 'images and videos');
    const rates = [entry.rate ?? 0, ...(entry.stages ?? []).map((part) => part.rate)];
    if (rates.every((value) => value === 0)) {
      const path = entry.rate === undefined ? [] : ['rate'];
      context.addIssue({ code: 'custom', path, message: 'needs a rate above 0, or stages that reach one' });
    }
  });

export type TrafficFile = z.infer<typeof trafficEntry>;
