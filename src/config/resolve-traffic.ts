import type { AbortShape, ImageShape, VideoShape } from '../contracts/plan.ts';
import { isTokenKind } from '../core/call-kind.ts';
import { DEFAULTS } from './defaults.ts';
import type { Layers, Take } from './layers.ts';
import type { Problem } from './problem.ts';
import { scaleRate } from './rate.ts';
import { type BodyMembers, mergeBody, refuseReserved } from './request-body.ts';
import { resolveText } from './resolve-text.ts';
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
  extra: BodyMembers = {},
): ResolvedTraffic[] {
  const asked = Object.keys(extra).length > 0;
  const hasText = entries.some(({ kind }) => isTokenKind(kind));
  return nameTraffic(entries).map((entry, index): ResolvedTraffic => {
    const path = `traffic[${index}]`;
    const take = layers.section(`${path}.`, entry);
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
    const takesExtra = asked && (isTokenKind(entry.kind) || !hasText);
    if (takesExtra) refuseReserved(entry.kind, extra, problems);
    layers.take(`${path}.name`, { file: entries[index]?.name }, entry.name);
    return {
      name: entry.name,
      kind: entry.kind,
      model: take('model', null),
      millirate: scaled(take('rate', 0), 'rate'),
      stages: take('stages', []).map((stage, number) => ({
        duration_ms: stage.duration,
        millirate: scaled(stage.rate, `stages[${number}].rate`),
      })),
      process: take('arrival', DEFAULTS.traffic.arrival),
      burstiness: take('burstiness', 1),
      concurrency: take('concurrency', null),
      max_calls: take('max_calls', null),
      max_in_flight: take('max_in_flight', entry.concurrency ?? DEFAULTS.traffic.max_in_flight),
      max_usd: take('max_usd', null),
      abort: abortShape(take('abort', undefined)),
      body: layers.take(
        `${path}.body`,
        { flag: takesExtra ? mergeBody(entry.body ?? {}, extra) : undefined, file: entry.body },
        {},
      ),
      text: isTokenKind(entry.kind) ? resolveText(take, folder, entry.kind) : null,
      image: imageShape(entry, take),
      video: videoShape(entry, take),
    };
  });
}

function abortShape(abort: TrafficFile['abort']): AbortShape | null {
  if (abort === undefined) return null;
  return { share: abort.share, after_ms: abort.after ?? null, after_events: abort.after_events ?? null };
}

function imageShape(entry: TrafficFile, take: Take<TrafficFile>): ImageShape | null {
  if (isTokenKind(entry.kind) || entry.kind === 'video') return null;
  const isEdit = entry.kind === 'image_edit' || entry.kind === 'image_edit_job';
  return {
    size: take('size', DEFAULTS.traffic.image_size),
    quality: take('quality', DEFAULTS.traffic.quality),
    response_format: take('response_format', DEFAULTS.traffic.response_format),
    multipart_share: isEdit ? take('multipart', DEFAULTS.traffic.multipart) : 0,
  };
}

function videoShape(entry: TrafficFile, take: Take<TrafficFile>): VideoShape | null {
  if (entry.kind !== 'video') return null;
  return {
    seconds: take('seconds', DEFAULTS.traffic.seconds),
    size: take('size', DEFAULTS.traffic.video_size),
  };
}
