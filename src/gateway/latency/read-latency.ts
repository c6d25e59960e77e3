import * as z from 'zod';
import { readYaml } from '../../config/read-yaml.ts';
import { distributionSchema } from './distribution.ts';
import type { LatencyModel } from './latency-model.ts';
import { LATENCY_PRESETS, latencyOf } from './latency-preset.ts';

/** Reads a latency plan in YAML or JSON. Throws `config_invalid` (exit 2) with `file:line:col` for each problem. */
export function readLatency(source: { readonly text: string; readonly file: string }): LatencyModel {
  return readYaml<LatencyModel>(source, latencyPlanSchema);
}

const MOST_CALLS = 1_000_000;

/** What a latency plan may say; what it leaves out is that of its preset. */
const latencyPlanSchema = z
  .strictObject({
    preset: z.enum(LATENCY_PRESETS).default('realistic').describe('Where everything not given comes from.'),
    ttft: distributionSchema.optional().describe('From acceptance to the first text.'),
    itl: distributionSchema.optional().describe('From one piece of text to the next.'),
    image: distributionSchema.optional().describe('An image made while the client waits.'),
    job_queue: distributionSchema.optional().describe('An image job until it starts.'),
    job_run: distributionSchema.optional().describe('An image job from start to end.'),
    video_queue: distributionSchema.optional().describe('A video task until it starts.'),
    video_run: distributionSchema.optional().describe('A video task from start to end.'),
    load_factor: z
      .number()
      .min(1)
      .max(1000)
      .optional()
      .describe('What ttft, itl and image grow by when max_in_flight calls are open.'),
    max_in_flight: z
      .int()
      .min(1)
      .max(MOST_CALLS)
      .nullable()
      .optional()
      .describe('Calls of text and images served at once; null: all.'),
    max_queue: z
      .int()
      .min(0)
      .max(MOST_CALLS)
      .nullable()
      .optional()
      .describe('Calls that wait for a place; beyond it 429 upstream_crowded; null: all.'),
    retry_after_s: z.int().min(1).max(3600).optional().describe('Retry-After of that 429, seconds.'),
  })
  .transform(({ preset, ...given }): LatencyModel => {
    const base = latencyOf(preset);
    return {
      ttft: given.ttft ?? base.ttft,
      itl: given.itl ?? base.itl,
      image: given.image ?? base.image,
      job_queue: given.job_queue ?? base.job_queue,
      job_run: given.job_run ?? base.job_run,
      video_queue: given.video_queue ?? base.video_queue,
      video_run: given.video_run ?? base.video_run,
      load_factor: given.load_factor ?? base.load_factor,
      max_in_flight: given.max_in_flight === undefined ? base.max_in_flight : given.max_in_flight,
      max_queue: given.max_queue === undefined ? base.max_queue : given.max_queue,
      retry_after_s: given.retry_after_s ?? base.retry_after_s,
    };
  })
  .refine(({ load_factor, max_in_flight }) => load_factor === 1 || max_in_flight !== null, {
    path: ['load_factor'],
    error: 'needs max_in_flight, by which load is measured',
  })
  .describe('How long the embedded gateway takes.');

/** The JSON Schema of a latency plan; `latency-plan.schema.json` is its text, for editors and other tools. */
export function latencyPlanJsonSchema(): object {
  return { title: 'Weighbridge latency plan', ...z.toJSONSchema(latencyPlanSchema, { io: 'input' }) };
}
