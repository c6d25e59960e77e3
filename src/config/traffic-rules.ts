import * as z from 'zod';
import { OBJECTIVE_MEASURES, type ObjectiveMeasure } from '../contracts/plan.ts';
import { isTokenKind, PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import { type Issues, optional } from './key-schemas.ts';
import { moneyText } from './money-text.ts';
import { whyReserved } from './request-body.ts';
import { TEXT_KEYS } from './text-keys.ts';
import { scenarioName } from './traffic-names.ts';
import type { TrafficFile } from './traffic-schema.ts';

const IMAGE_KINDS: readonly PaidKind[] = ['image', 'image_edit', 'image_job', 'image_edit_job'];
const TOKEN_WORDS = 'chat, responses, messages, completion and embedding';
const WRITING_WORDS = 'chat, responses, messages and completion';
const EDIT_KINDS: readonly PaidKind[] = ['image_edit', 'image_edit_job'];

/** Which keys of an entry go together. */
export function checkTraffic(entry: TrafficFile, context: Issues): void {
  const say = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
  checkKind(entry, say);
  checkArrival(entry, say);
  checkShape(entry, say);
}

type Say = (path: string[], message: string) => void;

function checkKind(entry: TrafficFile, say: Say): void {
  const refuse = (key: keyof TrafficFile, kinds: string): void => {
    if (entry[key] !== undefined) say([key], `belongs to ${kinds}, not to ${entry.kind}`);
  };
  if (!isTokenKind(entry.kind)) {
    for (const key of TEXT_KEYS) {
      if (key !== 'max_tokens_key') refuse(key, TOKEN_WORDS);
    }
  }
  if (!IMAGE_KINDS.includes(entry.kind)) {
    for (const key of ['quality', 'response_format'] as const) refuse(key, 'image kinds');
  }
  if (!EDIT_KINDS.includes(entry.kind)) refuse('multipart', 'image_edit and image_edit_job');
  if (entry.kind !== 'video') refuse('seconds', 'video');
  if (entry.kind !== 'chat') refuse('max_tokens_key', 'chat');
  if (entry.kind === 'completion' || entry.kind === 'embedding')
    refuse('session', 'chat, responses and messages');
  if (entry.kind === 'embedding') {
    for (const key of ['stream', 'max_tokens'] as const) refuse(key, WRITING_WORDS);
  }
  if (isTokenKind(entry.kind)) refuse('size', 'images and videos');
  for (const member of Object.keys(entry.body ?? {})) {
    const why = whyReserved(entry.kind, member);
    if (why !== null) say(['body', member], why);
  }
}

function checkArrival(entry: TrafficFile, say: Say): void {
  const { concurrency, burstiness } = entry;
  if (concurrency !== undefined) {
    for (const key of ['rate', 'stages', 'arrival', 'burstiness'] as const) {
      if (entry[key] !== undefined) say([key], 'does not go with concurrency: the answers set the pace');
    }
    if (entry.max_in_flight !== undefined && entry.max_in_flight < concurrency)
      say(['max_in_flight'], `must be at least the concurrency, ${concurrency}`);
    return;
  }
  const rates = [entry.rate ?? 0, ...(entry.stages ?? []).map((part) => part.rate)];
  if (rates.every((value) => value === 0)) {
    const path = entry.rate === undefined ? [] : ['rate'];
    say(path, 'needs a rate above 0, stages that reach one, or concurrency');
  }
  if (entry.arrival === 'gamma' && burstiness === undefined)
    say(['burstiness'], 'must be given for gamma, such as 0.25');
  if (entry.arrival !== 'gamma' && burstiness !== undefined)
    say(['burstiness'], 'goes with arrival: gamma alone');
}

function checkShape({ kind, abort, prompts, prompt_tokens }: TrafficFile, say: Say): void {
  if (abort !== undefined && abort.after === undefined && abort.after_events === undefined)
    say(['abort'], 'needs after, after_events or both');
  if (abort?.after_events !== undefined && (!isTokenKind(kind) || kind === 'embedding'))
    say(['abort', 'after_events'], `belongs to ${WRITING_WORDS}, not to ${kind}`);
  if (prompts === undefined) return;
  if (prompt_tokens !== undefined)
    say(['prompt_tokens'], 'does not go with prompts: they have sizes of their own');
}

type Bound = 'max' | 'min' | 'max_usd';

/** The key that bounds a measure. */
function boundOf(measure: ObjectiveMeasure): Bound {
  if (measure === 'goodput_rate' || measure === 'attainment_share') return 'min';
  return measure === 'usd_per_1000_good' ? 'max_usd' : 'max';
}

export const objective = z
  .strictObject({
    scenario: optional(scenarioName, 'Name of one scenario …'),
    kind: optional(
      z.enum(PAID_KINDS),
      '… or all scenarios of a kind, each judged on its own. With neither: every scenario that has the measure.',
    ),
    measure: z
      .enum(OBJECTIVE_MEASURES)
      .describe(
        'What has a bound. A call is good if it succeeds and meets every objective in ms that applies to it. A plain call has no first token.',
      ),
    percentile: optional(z.number().gt(0).lt(100), 'Required for measures in ms. The others have none.'),
    max: optional(
      z.number().min(0),
      'Upper bound: ms, or a share from 0 to 1 for error_share and dropped_share.',
    ),
    min: optional(
      z.number().min(0),
      'Lower bound: good calls per second for goodput_rate, good of sent from 0 to 1 for attainment_share.',
    ),
    max_usd: optional(moneyText, 'Upper bound for usd_per_1000_good, quoted.'),
  })
  .superRefine((entry, context) => {
    const say = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    const { measure } = entry;
    if (entry.scenario !== undefined && entry.kind !== undefined)
      say([], 'takes scenario or kind, and not both');
    const isTime = measure.endsWith('_ms');
    if (!isTime && entry.percentile !== undefined) say(['percentile'], `does not go with ${measure}`);
    if (isTime && entry.percentile === undefined)
      say(['percentile'], `must be given for ${measure}, such as 95`);
    const needed = boundOf(measure);
    for (const key of ['max', 'min', 'max_usd'] as const) {
      if (key === needed && entry[key] === undefined) say([key], `must be given for ${measure}`);
      if (key !== needed && entry[key] !== undefined)
        say([key], `does not go with ${measure}, which is bounded by ${needed}`);
    }
    for (const key of ['max', 'min'] as const) {
      if (measure.endsWith('_share') && (entry[key] ?? 0) > 1) say([key], 'must be a share from 0 to 1');
    }
  });
