import type { ConfigFile } from './config-schema.ts';
import { DEFAULTS } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { Layers } from './layers.ts';
import type { ResolvedConfig } from './resolved-config.ts';

type Engine = Pick<ResolvedConfig, 'retry' | 'http' | 'limits'>;

/** How the engine sends, sends again and stops by itself. */
export function resolveEngine(
  file: ConfigFile,
  layers: Layers,
  keepCredit: { readonly flag: number | undefined; readonly env: number | undefined },
): Engine {
  const take = <T>(path: string, value: T | undefined, fallback: T): T =>
    layers.take(path, { file: value }, fallback);
  const time = (path: string, ms: number | undefined, fallback: string): number =>
    take(path, ms, parseDuration(fallback) ?? 0);
  const { retry, http } = DEFAULTS;
  return {
    retry: {
      max_attempts: take('retry.max_attempts', file.retry?.max_attempts, retry.max_attempts),
      first_wait_ms: time('retry.first_wait', file.retry?.first_wait, retry.first_wait),
      factor: take('retry.factor', file.retry?.factor, retry.factor),
      max_wait_ms: time('retry.max_wait', file.retry?.max_wait, retry.max_wait),
      jitter: take('retry.jitter', file.retry?.jitter, retry.jitter),
    },
    http: {
      rps: take<number | null>('http.rps', file.http?.rps, null),
      debug: take<Engine['http']['debug']>('http.debug', file.http?.debug, http.debug),
      http2: take('http.http2', file.http?.http2, http.http2),
      reuse: take<Engine['http']['reuse']>('http.reuse', file.http?.reuse, http.reuse),
      dns: {
        ttl: take('http.dns.ttl', file.http?.dns?.ttl, http.dns.ttl),
        select: take<Engine['http']['dns']['select']>(
          'http.dns.select',
          file.http?.dns?.select,
          http.dns.select,
        ),
        policy: take<Engine['http']['dns']['policy']>(
          'http.dns.policy',
          file.http?.dns?.policy,
          http.dns.policy,
        ),
      },
      hosts: take<Readonly<Record<string, string>>>('http.hosts', file.http?.hosts, {}),
      insecure_skip_tls_verify: take(
        'http.insecure_skip_tls_verify',
        file.http?.insecure_skip_tls_verify,
        http.insecure_skip_tls_verify,
      ),
      tls_min: take<Engine['http']['tls_min']>('http.tls_min', file.http?.tls_min, null),
    },
    limits: {
      max_in_flight: take<number | null>('limits.max_in_flight', file.limits?.max_in_flight, null),
      keep_credit_share: layers.take<number | null>(
        'limits.keep_credit',
        { ...keepCredit, file: file.limits?.keep_credit },
        null,
      ),
      stop: stopRules(take('limits.stop', file.limits?.stop, undefined)),
    },
  };
}

function stopRules(stop: NonNullable<ConfigFile['limits']>['stop']): Engine['limits']['stop'] {
  if (stop === undefined) return null;
  return {
    over_ms: stop.over ?? parseDuration(DEFAULTS.stop.over) ?? 0,
    min_calls: stop.min_calls ?? DEFAULTS.stop.min_calls,
    share_429: stop.share_429 ?? null,
    share_5xx: stop.share_5xx ?? null,
  };
}
