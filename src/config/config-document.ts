import type { AgreedPrice, DeclaredCache } from '../contracts/billing-terms.ts';
import type { AbortShape } from '../contracts/plan.ts';
import type { PaidKind } from '../core/call-kind.ts';
import { parseDecimal } from '../core/decimal.ts';
import type { Budget } from './budget-schema.ts';
import { type DocumentMap, type DocumentValue, set } from './document-value.ts';
import { formatDuration } from './duration.ts';
import { formatRate } from './rate.ts';
import type { BodyMembers } from './request-body.ts';
import type { ResolvedBilling } from './resolve-billing.ts';
import type { ResolvedConfig, ResolvedText, ResolvedTrace, ResolvedTraffic } from './resolved-config.ts';
import { durationSpreadDocument, spreadDocument } from './spread.ts';
import { parseTarget, type TargetBases } from './target-bases.ts';

/**
 * The content of a weighbridge.yaml that resolves to the same values. The default traffic is left out: nobody asked
 * for it, so on another target its images and videos must stay off. The nonce has no key: prompts are new each run.
 */
export function configDocument(config: ResolvedConfig): { readonly [key: string]: DocumentValue } {
  const { target, timeouts, retry, settle, spend, models } = config;
  return {
    version: 1,
    target: set({
      url: target.bases && urlOf(target.bases),
      name: target.name,
      key: target.key,
      tokenizer: target.tokenizer,
      dialect: target.dialect === 'auto' ? null : target.dialect,
      stream_end: target.stream_end,
      headers: Object.keys(target.headers).length === 0 ? null : target.headers,
      permission: target.permission && set({ ...target.permission }),
      budget: target.budget && budgetDocument(target.budget),
    }),
    duration: formatDuration(config.duration_ms),
    seed: config.seed,
    drain: formatDuration(config.drain_ms),
    warm_up: formatDuration(config.warm_up_ms),
    cool_down: formatDuration(config.cool_down_ms),
    calls_per_vu: config.calls_per_vu,
    keep_text: config.keep_text,
    timeouts: {
      connect: formatDuration(timeouts.connect_ms),
      headers: formatDuration(timeouts.headers_ms),
      first_token: formatDuration(timeouts.first_token_ms),
      idle: formatDuration(timeouts.idle_ms),
      total: formatDuration(timeouts.total_ms),
      task: formatDuration(timeouts.task_ms),
    },
    retry: {
      max_attempts: retry.max_attempts,
      first_wait: formatDuration(retry.first_wait_ms),
      factor: retry.factor,
      max_wait: formatDuration(retry.max_wait_ms),
      jitter: retry.jitter,
    },
    http: set({ ...config.http, hosts: new Map(Object.entries(config.http.hosts)) }),
    limits: limitsDocument(config.limits),
    rate_scale: config.rate_scale,
    ...(config.trace === null ? {} : { trace: traceDocument(config.trace) }),
    ...(config.default_traffic || config.trace !== null ? {} : { traffic: trafficDocument(config) }),
    ...(models.size === 0 ? {} : { models: modelsDocument(models) }),
    objectives: config.objectives.map((objective) => set({ ...objective })),
    tolerances: toleranceDocument(config.tolerances),
    ...(config.accept.length === 0 ? {} : { accept: config.accept.map((each) => ({ ...each })) }),
    ...(config.claims.minimum_usd === null ? {} : { claims: { minimum_usd: config.claims.minimum_usd } }),
    billing: billingDocument(config.billing),
    settle: { wait: formatDuration(settle.wait_ms), poll: formatDuration(settle.poll_ms) },
    archive: { days: config.archive.days },
    ...(Object.values(spend).every((value) => value === null) ? {} : { spend: set({ ...spend }) }),
    ...(config.metrics.remote_write === null
      ? {}
      : { metrics: { remote_write: set(config.metrics.remote_write) } }),
  };
}

/** The traffic as a list of the file, rates before `rate_scale`. */
export function trafficDocument(config: Pick<ResolvedConfig, 'traffic' | 'rate_scale'>): DocumentValue[] {
  const rate = (millirate: number): string => formatRate(unscaled(millirate, config.rate_scale));
  return config.traffic.map((entry) => ({
    name: entry.name,
    kind: entry.kind,
    ...(entry.model === null ? {} : { model: entry.model }),
    ...paceDocument(entry, rate),
    ...set({
      max_calls: entry.max_calls,
      max_in_flight: entry.max_in_flight,
      max_usd: entry.max_usd,
      abort: entry.abort && abortDocument(entry.abort),
      body: bodyDocument(entry.body),
    }),
    ...shapeDocument(entry),
  }));
}

function bodyDocument(body: BodyMembers): DocumentValue {
  return Object.keys(body).length === 0 ? null : body;
}

function toleranceDocument({ gate_classes, ...bounds }: ResolvedConfig['tolerances']): DocumentMap {
  return { ...bounds, ...(gate_classes.length === 0 ? {} : { gate_classes }) };
}

function budgetDocument({ usd_per_month, ...caps }: Budget): DocumentMap {
  return set({ ...caps, usd_per_month: usd_per_month ?? null });
}

function limitsDocument({ max_in_flight, keep_credit_share, stop }: ResolvedConfig['limits']): DocumentMap {
  const { over_ms, ...bounds } = stop ?? { over_ms: 0 };
  return set({
    max_in_flight,
    keep_credit: keep_credit_share,
    stop: stop && set({ over: formatDuration(over_ms), ...bounds }),
  });
}

function traceDocument({
  file,
  columns,
  speed,
  kind,
  model,
  max_in_flight,
  body,
  text,
}: ResolvedTrace): DocumentMap {
  return set({
    file,
    columns: { ...columns },
    speed,
    kind,
    model,
    max_in_flight,
    body: bodyDocument(body),
    ...sizesDocument(text),
  });
}

function paceDocument(entry: ResolvedTraffic, rate: (millirate: number) => string): DocumentMap {
  const { millirate, stages, process, burstiness, concurrency } = entry;
  if (concurrency !== null) return { concurrency };
  return {
    rate: rate(millirate),
    ...(stages.length === 0
      ? {}
      : {
          stages: stages.map((stage) => ({
            duration: formatDuration(stage.duration_ms),
            rate: rate(stage.millirate),
          })),
        }),
    arrival: process,
    ...(process === 'gamma' ? { burstiness } : {}),
  };
}

function abortDocument({ share, after_ms, after_events }: AbortShape): DocumentMap {
  return set({ share, after: after_ms === null ? null : formatDuration(after_ms), after_events });
}

function shapeDocument({ kind, text, image, video }: ResolvedTraffic): DocumentMap {
  const isEdit = kind === 'image_edit' || kind === 'image_edit_job';
  return {
    ...(text === null ? {} : textDocument(text, kind)),
    ...(image === null
      ? {}
      : { size: image.size, quality: image.quality, response_format: image.response_format }),
    ...(image === null || !isEdit ? {} : { multipart: image.multipart_share }),
    ...(video === null ? {} : { size: video.size, seconds: video.seconds }),
  };
}

function textDocument(text: ResolvedText, kind: PaidKind): DocumentMap {
  const { prompts, session } = text;
  const { prompt_tokens, ...sizes } = sizesDocument(text);
  return set({
    ...(kind === 'embedding' ? {} : sizes),
    // A file of prompts has sizes of its own.
    ...(prompts === null ? { prompt_tokens: prompt_tokens ?? null } : {}),
    max_tokens_key: text.max_tokens_key ?? null,
    cached_share: text.cached_share,
    prompts: prompts && { ...prompts },
    session: session && {
      turns: spreadDocument(session.turns),
      think: durationSpreadDocument(session.think_ms),
    },
    watermark: text.watermark_modulus,
  });
}

function sizesDocument(text: ResolvedTrace['text']): DocumentMap {
  return {
    stream: text.stream_share,
    prompt_tokens: spreadDocument(text.prompt_tokens),
    max_tokens: spreadDocument(text.max_tokens),
  };
}

function modelsDocument(models: ResolvedConfig['models']): ReadonlyMap<string, DocumentValue> {
  return new Map([...models].map(([id, model]) => [id, set({ ...model })] as const));
}

/** Exact: the rate came out of this very factor as a whole number. */
function unscaled(millirate: number, rateScale: string): number {
  const factor = parseDecimal(rateScale) ?? { digits: 1n, scale: 0 };
  return Number((BigInt(millirate) * 10n ** BigInt(factor.scale)) / factor.digits);
}

/** A root that itself ends or looks like one of the other forms would be read as that form. */
function urlOf({ root, v1 }: TargetBases): string {
  const reading = parseTarget(root);
  return 'bases' in reading && reading.bases.v1 === v1 ? root : v1;
}

/** The `billing:` block as it stands in weighbridge.yaml; every value set, what is null left out. */
function billingDocument({ book, terms }: ResolvedBilling): DocumentMap {
  const { group, agreed, readings, policy, deadlines, cache } = terms;
  const byClass = Object.entries(deadlines.by_class).flatMap(([name, ms]) =>
    ms === undefined ? [] : [[name, formatDuration(ms)] as const],
  );
  return {
    book: set({ ...book }),
    ...(group === null ? {} : { group }),
    ...(agreed.length === 0 ? {} : { agreed: agreed.map(agreedDocument) }),
    readings: {
      ...readings,
      rounding:
        readings.rounding === null ? 'auto' : `${readings.rounding.mode}/${readings.rounding.quantum}`,
      status: new Map(Object.entries(readings.status)),
    },
    policy: { ...policy },
    deadlines: {
      text: formatDuration(deadlines.text_ms),
      task: formatDuration(deadlines.task_ms),
      refund: formatDuration(deadlines.refund_ms),
      ...(byClass.length === 0 ? {} : { class: Object.fromEntries(byClass) }),
    },
    ...(cache === null ? {} : { cache: cacheDocument(cache) }),
  };
}

function cacheDocument({ lifetime_ms, ...cache }: DeclaredCache): DocumentMap {
  return set({ lifetime: lifetime_ms === null ? null : formatDuration(lifetime_ms), ...cache });
}

function agreedDocument({ prices, rounding, minimum, ...agreed }: AgreedPrice): DocumentMap {
  return set({
    ...agreed,
    prices: prices && { ...prices },
    rounding: rounding && { quantum: rounding.quantum, mode: rounding.mode },
    minimum: minimum && { ...minimum },
  });
}
