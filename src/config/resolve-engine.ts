import { resolve } from 'node:path';
import type { ConfigFile } from './config-schema.ts';
import { absoluteReference } from './credential-reference.ts';
import { DEFAULTS } from './defaults.ts';
import { msOf } from './duration.ts';
import type { Layers } from './layers.ts';
import type { MetricsFile } from './metrics-schema.ts';
import type { Problem } from './problem.ts';
import { type BodyMembers, mergeBody, refuseReserved } from './request-body.ts';
import { resolveSizes } from './resolve-text.ts';
import type { ResolvedConfig, ResolvedMetrics, ResolvedTrace } from './resolved-config.ts';
import type { TraceFile } from './trace-schema.ts';

type Engine = Pick<ResolvedConfig, 'retry' | 'http' | 'limits'>;

/** How the engine sends, sends again and stops by itself. */
export function resolveEngine(
  file: ConfigFile,
  layers: Layers,
  keepCredit: { readonly flag: number | undefined; readonly env: number | undefined },
): Engine {
  const retry = layers.section('retry.', file.retry);
  const http = layers.section('http.', file.http);
  const dns = layers.section('http.dns.', file.http?.dns);
  const limits = layers.section('limits.', file.limits);
  return {
    retry: {
      max_attempts: retry('max_attempts', DEFAULTS.retry.max_attempts),
      first_wait_ms: retry('first_wait', msOf(DEFAULTS.retry.first_wait)),
      factor: retry('factor', DEFAULTS.retry.factor),
      max_wait_ms: retry('max_wait', msOf(DEFAULTS.retry.max_wait)),
      jitter: retry('jitter', DEFAULTS.retry.jitter),
    },
    http: {
      rps: http('rps', null),
      debug: http('debug', DEFAULTS.http.debug),
      http2: http('http2', DEFAULTS.http.http2),
      reuse: http('reuse', DEFAULTS.http.reuse),
      dns: {
        ttl: dns('ttl', DEFAULTS.http.dns.ttl),
        select: dns('select', DEFAULTS.http.dns.select),
        policy: dns('policy', DEFAULTS.http.dns.policy),
      },
      hosts: http('hosts', {}),
      insecure_skip_tls_verify: http('insecure_skip_tls_verify', DEFAULTS.http.insecure_skip_tls_verify),
      tls_min: http('tls_min', null),
    },
    limits: {
      max_in_flight: limits('max_in_flight', null),
      keep_credit_share: layers.take<number | null>(
        'limits.keep_credit',
        { ...keepCredit, file: file.limits?.keep_credit },
        null,
      ),
      stop: stopRules(limits('stop', undefined)),
    },
  };
}

function stopRules(stop: NonNullable<ConfigFile['limits']>['stop']): Engine['limits']['stop'] {
  if (stop === undefined) return null;
  return {
    over_ms: stop.over ?? msOf(DEFAULTS.stop.over),
    min_calls: stop.min_calls ?? DEFAULTS.stop.min_calls,
    share_429: stop.share_429 ?? null,
    share_5xx: stop.share_5xx ?? null,
  };
}

/** References to files start from the folder of the configuration. */
export function resolveMetrics(
  file: MetricsFile | undefined,
  layers: Layers,
  configFile: string,
): ResolvedMetrics {
  const found = layers.take('metrics', { file }, undefined)?.remote_write;
  if (found === undefined) return { remote_write: null };
  const reference = (text: string | undefined): string | null =>
    text === undefined ? null : absoluteReference(text, configFile);
  return {
    remote_write: {
      url: found.url,
      username: found.username ?? null,
      password: reference(found.password),
      bearer_token: reference(found.bearer_token),
    },
  };
}

/** The trace that is replayed; null where there is none. Its path starts from `folder`. */
export function resolveTrace(
  trace: TraceFile | undefined,
  layers: Layers,
  folder: string,
  extra: BodyMembers,
  problems: Problem[],
): ResolvedTrace | null {
  if (trace === undefined) return null;
  const take = layers.section('trace.', trace);
  refuseReserved('chat', extra, problems);
  return {
    file: resolve(folder, take('file', '')),
    columns: take('columns', {}),
    speed: take('speed', DEFAULTS.trace.speed),
    kind: take('kind', null),
    model: take('model', null),
    max_in_flight: take('max_in_flight', DEFAULTS.traffic.max_in_flight),
    body: mergeBody(take('body', {}), extra),
    text: resolveSizes(take),
  };
}
