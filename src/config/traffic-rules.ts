import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import { TEXT_KEYS } from './text-keys.ts';
import type { TrafficFile } from './traffic-schema.ts';

const IMAGE_KINDS: readonly PaidKind[] = ['image', 'image_edit', 'image_job', 'image_edit_job'];
const EDIT_KINDS: readonly PaidKind[] = ['image_edit', 'image_edit_job'];

interface Issues {
  addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void;
}

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
  if (!isTextKind(entry.kind)) {
    for (const key of TEXT_KEYS) refuse(key, 'chat, responses and messages');
  }
  if (!IMAGE_KINDS.includes(entry.kind)) {
    for (const key of ['quality', 'response_format'] as const) refuse(key, 'image kinds');
  }
  if (!EDIT_KINDS.includes(entry.kind)) refuse('multipart', 'image_edit and image_edit_job');
  if (entry.kind !== 'video') refuse('seconds', 'video');
  if (isTextKind(entry.kind)) refuse('size', 'images and videos');
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
  if (abort?.after_events !== undefined && !isTextKind(kind))
    say(['abort', 'after_events'], `belongs to chat, responses and messages, not to ${kind}`);
  if (prompts === undefined) return;
  if (prompt_tokens !== undefined)
    say(['prompt_tokens'], 'does not go with prompts: they have sizes of their own');
}
