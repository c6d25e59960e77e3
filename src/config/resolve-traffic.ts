import type { AbortShape, Arrival, ImageShape, VideoShape } from '../contracts/plan.ts';
import { isTextKind } from '../core/call-kind.ts';
import { DEFAULTS } from './defaults.ts';
import type { Layers } from './layers.ts';
import type { Problem } from './problem.ts';
import { scaleRate } from './rate.ts';
import { resolveText, type Take } from './resolve-text.ts';
import type { Origin, ResolvedTraffic } from './resolved-config.ts';
import { flagName, SETTING_ENV } from './settings.ts';
import { nameTraffic } from './traffic-names.ts';
import type { TrafficFile } from './traffic-schema.ts';

/** Where the factor was given. */
const SCALE_PLACE: Readonly<Record<Origin, string>> = {
  flag: flagName('rateScale'),
  env: SETTING_ENV.rateScale,
  file: 'rate_scale',
  default: 'rate_scale',
};

/** Fills in what each entry leaves out, and scales its rates. Paths start from `folder`. */
export function resolveTraffic(
  entries: readonly TrafficFile[],
  rateScale: string,
  layers: Layers,
  problems: Problem[],
  folder: string,
): ResolvedTraffic[] {
  return nameTraffic(entries).map((entry, index): ResolvedTraffic => {
    const path = `traffic[${index}]`;
    const take = <T>(key: string, file: T | undefined, fallback: T): T =>
      layers.take(`${path}.${key}`, { file }, fallback);
    const scaled = (millirate: number, key: string): number => {
      const reading = scaleRate(millirate, rateScale);
      if ('millirate' in reading) return reading.millirate;
      problems.push({
        at: SCALE_PLACE[layers.origins['rate_scale'] ?? 'default'],
        path: `${path}.${key}`,
        rule: reading.fault,
        found: rateScale,
        suggestion: null,
      });
      return 0;
    };
    layers.take(`${path}.name`, { file: entries[index]?.name }, entry.name);
    return {
      name: entry.name,
      kind: entry.kind,
      model: take<string | null>('model', entry.model, null),
      millirate: scaled(take('rate', entry.rate, 0), 'rate'),
      stages: take('stages', entry.stages, []).map((stage, number) => ({
        duration_ms: stage.duration,
        millirate: scaled(stage.rate, `stages[${number}].rate`),
      })),
      process: take<Arrival['process']>('arrival', entry.arrival, DEFAULTS.traffic.arrival),
      burstiness: take('burstiness', entry.burstiness, 1),
      concurrency: take<number | null>('concurrency', entry.concurrency, null),
      max_calls: take<number | null>('max_calls', entry.max_calls, null),
      max_in_flight: take(
        'max_in_flight',
        entry.max_in_flight,
        entry.concurrency ?? DEFAULTS.traffic.max_in_flight,
      ),
      max_usd: take<string | null>('max_usd', entry.max_usd, null),
      abort: abortShape(take('abort', entry.abort, undefined)),
      text: isTextKind(entry.kind) ? resolveText(entry, take, folder) : null,
      image: imageShape(entry, take),
      video: videoShape(entry, take),
    };
  });
}

function abortShape(abort: TrafficFile['abort']): AbortShape | null {
  if (abort === undefined) return null;
  return { share: abort.share, after_ms: abort.after ?? null, after_events: abort.after_events ?? null };
}

function imageShape(entry: TrafficFile, take: Take): ImageShape | null {
  if (isTextKind(entry.kind) || entry.kind === 'video') return null;
  const isEdit = entry.kind === 'image_edit' || entry.kind === 'image_edit_job';
  return {
    size: take<string>('size', entry.size, DEFAULTS.traffic.image_size),
    quality: take<ImageShape['quality']>('quality', entry.quality, DEFAULTS.traffic.quality),
    response_format: take<ImageShape['response_format']>(
      'response_format',
      entry.response_format,
      DEFAULTS.traffic.response_format,
    ),
    multipart_share: isEdit ? take<number>('multipart', entry.multipart, DEFAULTS.traffic.multipart) : 0,
  };
}

function videoShape(entry: TrafficFile, take: Take): VideoShape | null {
  if (entry.kind !== 'video') return null;
  return {
    seconds: take<number>('seconds', entry.seconds, DEFAULTS.traffic.seconds),
    size: take<string>('size', entry.size, DEFAULTS.traffic.video_size),
  };
}
