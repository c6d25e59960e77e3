import type { ProbeApi, ProbedKind } from '../contracts/probe-plan.ts';
import { isTextKind } from '../core/call-kind.ts';
import { type Issues, refuse } from './key-schemas.ts';

interface Listed {
  readonly api: ProbedKind;
  readonly [key: string]: unknown;
}

/** Keys that belong to some kinds alone, and what those are called. */
const OWNERS: Readonly<
  Record<string, { readonly of: (kind: ProbedKind) => boolean; readonly said: string }>
> = {
  stream: { of: isTextKind, said: 'chat, responses and messages' },
  max_tokens: { of: isTextKind, said: 'chat, responses and messages' },
  cached: { of: isTextKind, said: 'chat, responses and messages' },
  size: { of: (kind) => !isTextKind(kind), said: 'images and videos' },
  quality: { of: (kind) => kind.startsWith('image'), said: 'images' },
  seconds: { of: (kind) => kind === 'video', said: 'video' },
  task_timeout: { of: isTask, said: 'image_job, image_edit_job and video' },
};

/** True for what is submitted and then polled. */
export function isTask(kind: ProbeApi): boolean {
  return kind === 'image_job' || kind === 'image_edit_job' || kind === 'video';
}

/** Which keys of a listed probe go together. */
export function checkListedProbe(entry: Listed, context: Issues): void {
  for (const [key, { of, said }] of Object.entries(OWNERS)) {
    if (entry[key] === undefined || of(entry.api)) continue;
    refuse(context, [key], `belongs to ${said}, not to ${entry.api}`);
  }
}
