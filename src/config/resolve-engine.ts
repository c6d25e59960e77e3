import { resolve } from 'node:path';
import { isTextKind, type PaidKind } from '../core/call-kind.ts';
import type { ConfigFile } from './config-schema.ts';
import { absoluteReference } from './credential-reference.ts';
import { DEFAULTS } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { Layers } from './layers.ts';
import type { MetricsFile } from './metrics-schema.ts';
import type { Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
import { resolveSizes, type Take } from './resolve-text.ts';
import type {
  ConfigObjective,
  ResolvedConfig,
  ResolvedMetrics,
  ResolvedTrace,
  ResolvedTraffic,
} from './resolved-config.ts';
import type { TraceFile } from './trace-schema.ts';

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
): ResolvedTrace | null {
  if (trace === undefined) return null;
  const take: Take = (key, file, fallback) => layers.take(`trace.${key}`, { file }, fallback);
  return {
    file: resolve(folder, take('file', trace.file, '')),
    columns: take<ResolvedTrace['columns']>('columns', trace.columns, {}),
    speed: take<number>('speed', trace.speed, DEFAULTS.trace.speed),
    kind: take<PaidKind | null>('kind', trace.kind, null),
    model: take<string | null>('model', trace.model, null),
    max_in_flight: take<number>('max_in_flight', trace.max_in_flight, DEFAULTS.traffic.max_in_flight),
    text: resolveSizes(trace, take),
  };
}

/** The objectives with every key. `traffic`: null where it is not known yet. */
export function resolveObjectives(
  entries: NonNullable<ConfigFile['objectives']>,
  traffic: readonly ResolvedTraffic[] | null,
  path: string,
  problems: Problem[],
): ConfigObjective[] {
  return entries.map((entry, index) => {
    // With traffic of its own the schema has checked this, with line and column.
    if (traffic?.some(({ name, kind }) => name === entry.scenario || kind === entry.kind) === false) {
      const names = traffic.map(({ name }) => name).join(', ');
      const rule = `must name a scenario of the default traffic: ${names}`;
      const at = placeInFile(path, ['objectives', index]);
      problems.push({ at, path: `objectives[${index}]`, rule, found: null, suggestion: null });
    }
    const unmeasured = whyUnmeasured(entry, traffic);
    if (unmeasured !== null) {
      const at = placeInFile(path, ['objectives', index, 'measure']);
      problems.push({ at, path: `objectives[${index}].measure`, found: entry.measure, ...unmeasured });
    }
    return {
      scenario: entry.scenario ?? null,
      kind: entry.kind ?? null,
      measure: entry.measure,
      percentile: entry.percentile ?? null,
      max: entry.max ?? null,
      min: entry.min ?? null,
      max_usd: entry.max_usd ?? null,
    };
  });
}

type ObjectiveFile = NonNullable<ConfigFile['objectives']>[number];

/** Only a stream of text has a first token and a time of each; each scenario of a kind is judged by itself. */
function whyUnmeasured(
  { scenario, kind, measure }: ObjectiveFile,
  traffic: readonly ResolvedTraffic[] | null,
): Pick<Problem, 'rule' | 'suggestion'> | null {
  if (measure !== 'ttft_ms' && measure !== 'tpot_ms') return null;
  const judged = (traffic ?? []).filter((entry) => entry.name === scenario || entry.kind === kind);
  const other = [...judged.map((entry) => entry.kind), ...(kind === undefined ? [] : [kind])].find(
    (each) => !isTextKind(each),
  );
  if (other !== undefined) {
    const rule = `can never be measured: a call of ${other} is no stream of text`;
    return { rule, suggestion: 'bound e2e_ms in its place' };
  }
  const plain = judged.find(({ text }) => text?.stream_share === 0);
  if (plain === undefined) return null;
  const rule = `can never be measured: no call of ${plain.name} streams, as its stream is 0`;
  return { rule, suggestion: 'give it a stream above 0, or bound e2e_ms in its place' };
}
