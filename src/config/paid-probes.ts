import type { Probe, ProbedKind } from '../contracts/probe-plan.ts';
import { isTextKind, type TextKind } from '../core/call-kind.ts';
import { msOf } from './duration.ts';
import type { ListedProbe } from './listed-probe.ts';
import { PROBE_DEFAULTS } from './probe-defaults.ts';
import type { ProbeSettings } from './probe-keys.ts';
import { nameProbes } from './probe-names.ts';
import { isTask } from './probe-rules.ts';

/** The paid probes of a target: those of text, images and videos, and those listed, named. */
export function paidProbes(settings: ProbeSettings): Probe[] {
  const entries = [
    ...textProbes(settings.text),
    ...imageProbes(settings.images),
    ...videoProbes(settings.videos),
    ...(settings.probes ?? []),
  ];
  const probes = entries.map((entry) => ({
    ...probeOf(entry),
    name: entry.name ?? null,
    model: entry.model,
  }));
  return nameProbes(probes, ({ api, stream, model }) => `${api}${stream ? '-stream' : ''}-${model}`);
}

function textProbes(text: ProbeSettings['text']): ListedProbe[] {
  if (text === undefined) return [];
  const { models, formats = ['chat', 'responses', 'messages'] satisfies TextKind[], stream, ...rest } = text;
  const wanted = stream ?? PROBE_DEFAULTS.text.stream;
  const streams = wanted === 'both' ? [false, true] : [wanted];
  return unique(models).flatMap((model) =>
    unique(formats).flatMap((api) => streams.map((streamed) => ({ ...rest, api, model, stream: streamed }))),
  );
}

function imageProbes(images: ProbeSettings['images']): ListedProbe[] {
  if (images === undefined) return [];
  const { models, kinds = ['image' as const], task_timeout: task, ...rest } = images;
  return unique(models).flatMap((model) =>
    unique(kinds).map((api) => ({
      ...rest,
      api,
      model,
      ...(isTask(api) && task !== undefined ? { task_timeout: task } : {}),
    })),
  );
}

function videoProbes(videos: ProbeSettings['videos']): ListedProbe[] {
  if (videos === undefined) return [];
  const { models, ...rest } = videos;
  return unique(models).map((model) => ({ ...rest, api: 'video', model }));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** An entry with every value set. */
function probeOf(entry: ListedProbe): Omit<Probe, 'name' | 'model'> {
  const { api } = entry;
  const common = { api, stream: entry.stream ?? false, negative: null };
  if (isTextKind(api)) {
    const { text } = PROBE_DEFAULTS;
    return {
      ...common,
      ...times(entry, text),
      max_tokens: entry.max_tokens ?? text.max_tokens,
      prompt: entry.prompt ?? text.prompt,
      ...(entry.cached === true ? { cached: true as const } : {}),
      ...NO_SHAPE,
    };
  }
  const { images, videos } = PROBE_DEFAULTS;
  const fallback = api === 'video' ? videos : images;
  return {
    ...common,
    ...times(entry, fallback),
    max_tokens: null,
    prompt: entry.prompt ?? fallback.prompt,
    size: entry.size ?? fallback.size,
    quality: api === 'video' ? null : (entry.quality ?? images.quality),
    seconds: api === 'video' ? (entry.seconds ?? videos.seconds) : null,
    task_timeout_ms: taskTimeout(api, entry.task_timeout ?? msOf(fallback.task_timeout)),
  };
}

/** Of probes that ask for neither image nor video. */
export const NO_SHAPE = { size: null, quality: null, seconds: null, task_timeout_ms: null } as const;

function taskTimeout(api: ProbedKind, ms: number): number | null {
  return isTask(api) ? ms : null;
}

function times(
  { every, timeout }: Pick<ListedProbe, 'every' | 'timeout'>,
  fallback: { readonly every: string; readonly timeout: string },
): Pick<Probe, 'interval_ms' | 'timeout_ms'> {
  return {
    interval_ms: every ?? msOf(fallback.every),
    timeout_ms: timeout ?? msOf(fallback.timeout),
  };
}
