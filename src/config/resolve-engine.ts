import { resolve } from 'node:path';
import { isTokenKind } from '../core/call-kind.ts';
import type { ConfigFile } from './config-schema.ts';
import { absoluteReference } from './credential-reference.ts';
import { DEFAULTS } from './defaults.ts';
import { msOf } from './duration.ts';
import type { Layers } from './layers.ts';
import type { MetricsFile } from './metrics-schema.ts';
import type { Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
import { type BodyMembers, mergeBody, refuseReserved } from './request-body.ts';
import { resolveSizes } from './resolve-text.ts';
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
    (each) => !isTokenKind(each),
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
