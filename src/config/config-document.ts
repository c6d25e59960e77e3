import { parseDecimal } from '../core/decimal.ts';
import { formatDuration } from './duration.ts';
import { formatRate } from './rate.ts';
import type { ResolvedConfig, ResolvedTraffic } from './resolved-config.ts';
import type { TargetBases } from './target-bases.ts';

/** A value as it stands in weighbridge.yaml. A map keeps the order of model ids that look like numbers. */
export type DocumentValue =
  | string
  | number
  | readonly DocumentValue[]
  | ReadonlyMap<string, DocumentValue>
  | { readonly [key: string]: DocumentValue };

/**
 * The content of a weighbridge.yaml that resolves to the same values. The default traffic is left out: nobody asked
 * for it, so on another target its images and videos must stay off. The nonce has no key: prompts are new each run.
 */
export function configDocument(config: ResolvedConfig): { readonly [key: string]: DocumentValue } {
  const { target, timeouts, settle, spend, models } = config;
  return {
    version: 1,
    target: {
      ...(target.bases === null ? {} : { url: urlOf(target.bases) }),
      ...(target.name === null ? {} : { name: target.name }),
      key: target.key,
      ...(target.permission === null ? {} : { permission: { ...target.permission } }),
    },
    duration: formatDuration(config.duration_ms),
    seed: config.seed,
    drain: formatDuration(config.drain_ms),
    timeouts: {
      connect: formatDuration(timeouts.connect_ms),
      headers: formatDuration(timeouts.headers_ms),
      first_token: formatDuration(timeouts.first_token_ms),
      idle: formatDuration(timeouts.idle_ms),
      total: formatDuration(timeouts.total_ms),
      task: formatDuration(timeouts.task_ms),
    },
    rate_scale: config.rate_scale,
    ...(config.default_traffic ? {} : { traffic: trafficDocument(config) }),
    ...(models.size === 0 ? {} : { models: modelsDocument(models) }),
    objectives: config.objectives.map(({ scenario, kind, measure, percentile, max }) => ({
      ...(scenario === null ? {} : { scenario }),
      ...(kind === null ? {} : { kind }),
      measure,
      ...(percentile === null ? {} : { percentile }),
      ...(max === null ? {} : { max }),
    })),
    tolerances: { ...config.tolerances },
    settle: { wait: formatDuration(settle.wait_ms), poll: formatDuration(settle.poll_ms) },
    ...(spend.max_usd === null ? {} : { spend: { max_usd: spend.max_usd } }),
  };
}

/** The traffic as a list of the file, rates before `rate_scale`. */
export function trafficDocument(config: Pick<ResolvedConfig, 'traffic' | 'rate_scale'>): DocumentValue[] {
  const rate = (millirate: number): string => formatRate(unscaled(millirate, config.rate_scale));
  return config.traffic.map((entry) => ({
    name: entry.name,
    kind: entry.kind,
    ...(entry.model === null ? {} : { model: entry.model }),
    rate: rate(entry.millirate),
    ...(entry.stages.length === 0
      ? {}
      : {
          stages: entry.stages.map((stage) => ({
            duration: formatDuration(stage.duration_ms),
            rate: rate(stage.millirate),
          })),
        }),
    max_in_flight: entry.max_in_flight,
    ...shapeDocument(entry),
  }));
}

function shapeDocument({ kind, text, image, video }: ResolvedTraffic): { [key: string]: DocumentValue } {
  const isEdit = kind === 'image_edit' || kind === 'image_edit_job';
  return {
    ...(text === null
      ? {}
      : { stream: text.stream_share, prompt_tokens: text.prompt_tokens, max_tokens: text.max_tokens }),
    ...(image === null
      ? {}
      : { size: image.size, quality: image.quality, response_format: image.response_format }),
    ...(image === null || !isEdit ? {} : { multipart: image.multipart_share }),
    ...(video === null ? {} : { size: video.size, seconds: video.seconds }),
  };
}

function modelsDocument(models: ResolvedConfig['models']): ReadonlyMap<string, DocumentValue> {
  return new Map(
    [...models].map(([id, { max_output }]) => [id, max_output === null ? {} : { max_output }] as const),
  );
}

/** Exact: the rate came out of this very factor as a whole number. */
function unscaled(millirate: number, rateScale: string): number {
  const factor = parseDecimal(rateScale) ?? { digits: 1n, scale: 0 };
  return Number((BigInt(millirate) * 10n ** BigInt(factor.scale)) / factor.digits);
}

/** A root that itself ends like one of the other forms would be read as that form. */
function urlOf({ root, v1 }: TargetBases): string {
  return /\/(v1|api)$/.test(root) ? v1 : root;
}
