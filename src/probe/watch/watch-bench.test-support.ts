import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadOk } from '../../client/read-result.ts';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import { sha256Of } from '../../pricebook/read/read-price-book.ts';
import { FakeClock } from '../fake-clock.test-support.ts';
import { ProbeLog } from '../log/probe-log.ts';
import { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import type { WatchMeans } from './target-watch.ts';

export function probeOf(over: Partial<Probe> = {}): Probe {
  return {
    name: 'p',
    api: 'chat',
    model: null,
    stream: false,
    interval_ms: 60_000,
    timeout_ms: 30_000,
    max_tokens: null,
    prompt: null,
    size: null,
    quality: null,
    seconds: null,
    task_timeout_ms: null,
    negative: null,
    ...over,
  };
}

/** A user who told that text is recorded within a quarter of an hour, nearly. */
const TOLD_TERMS = { ...NO_TERMS, deadlines: { ...NO_TERMS.deadlines, text_ms: 14 * 60_000 } };

export function targetOf(over: Partial<ProbeTarget> = {}): ProbeTarget {
  return {
    name: 'main',
    folder: over.name ?? 'main',
    bases: { root: 'http://gw', v1: 'http://gw/v1', api: 'http://gw/api' },
    loopback: true,
    key: null,
    access_token: null,
    user_id: null,
    headers: {},
    budget: null,
    assumed_run_usd: null,
    concurrency: 1,
    probes: [],
    dialect: 'auto',
    watched_models: ['m'],
    ...over,
  };
}

/** A registry whose samples are rendered anew at every look. */
export function freshMetrics(): ProbeMetricsRegistry {
  let looks = 0;
  return new ProbeMetricsRegistry({
    seriesLimit: 1000,
    now: () => {
      looks += 2000;
      return looks;
    },
  });
}

/** Samples whose name begins so, without the target label. */
export async function samples(metrics: ProbeMetricsRegistry, name: string): Promise<readonly string[]> {
  const { body } = await metrics.render('text');
  return body
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) =>
      line
        .slice(name.length)
        .replace(/target="[^"]*",?/, '')
        .replace(/,}/, '}')
        .replace('{}', '')
        .trim(),
    );
}

export function stateFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'watch-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'gw', 'probe');
  mkdirSync(dir, { recursive: true });
  return dir;
}

export interface Bench extends WatchMeans {
  readonly clock: FakeClock;
  readonly said: string[];
}

interface BenchOptions extends Partial<WatchMeans> {
  readonly client?: () => GatewayClient;
  /** Where the clock stands at first. */
  readonly now_ms?: number;
}

export function benchOf(over: BenchOptions = {}): Bench {
  const said: string[] = [];
  const { client, now_ms, ...means } = over;
  const dir = means.dir ?? stateFolder();
  const clock = new FakeClock(now_ms);
  return {
    target: targetOf(),
    reconcile_ms: 60_000,
    dir,
    archive_dir: join(dir, '../archive'),
    ledger_dir: join(dir, 'calls'),
    billing: { book: { adapter: 'auto', file: null, mapping: null }, terms: TOLD_TERMS },
    archive_days: 800,
    metrics: freshMetrics(),
    log: new ProbeLog({
      sink: { write: (line) => void said.push(line) },
      secrets: new SecretValues(),
      level: 'debug',
      now: () => clock.now_ms(),
    }),
    reads: () => client?.() ?? null,
    ...means,
    clock,
    said,
  };
}

/** As a client gives it. */
export function answered<T>(body: T): ReadOk<T> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { ok: true, status: 200, body, bytes, sha256: sha256Of(bytes), numbersAsText: 0, requestId: null };
}
