import { SecretValues } from '../client/secrets/secret-values.ts';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { ProbePlan } from '../contracts/probe-plan.ts';
import { maskedConfig } from './log/masked-config.ts';
import type { LogSink } from './log/masking-sink.ts';
import { ProbeLog } from './log/probe-log.ts';
import { EventLoopLag } from './metrics/event-loop-lag.ts';
import { ProbeMetricsRegistry } from './metrics/probe-metrics-registry.ts';
import { exportProcessMetrics, readingsOfThisProcess } from './metrics/process-metrics.ts';
import { type ProbeClock, systemProbeClock } from './schedule/probe-clock.ts';
import { ProbeScheduler } from './schedule/probe-scheduler.ts';
import { JoinedWork } from './schedule/run-places.ts';
import { openProbeServer } from './server/probe-server.ts';
import type { DaemonMeans } from './target/daemon-means.ts';
import { PlanInForce } from './target/plan-in-force.ts';
import type { DaemonView } from './view/daemon-view.ts';

export interface DaemonDeps
  extends Pick<DaemonMeans, 'env' | 'version' | 'http' | 'billing' | 'archive_days' | 'openWatch'> {
  /** The commit that runs; null or absent where nobody knows. */
  readonly revision?: string | null;
  readonly log: LogSink;
  /** Reads the configuration again; throws where the plan in force must stay. */
  readonly reload: () => ProbePlan;
  /** Calls the listener at each signal to end, with their count; returns what takes it off. */
  readonly onEnd: (listener: (count: number) => void) => () => void;
  /** Calls the listener at each signal to reload; returns what takes it off. */
  readonly onReload: (listener: () => void) => () => void;
  /** The daemon serves there. */
  readonly serving: (url: string) => void;
  readonly clock?: ProbeClock;
  /** How long a scrape is served again; for tests that scrape more often than a second. */
  readonly renderKeptMs?: number;
}

/** Runs at a time over all targets: a process of one event loop measures no better with more. */
const CONCURRENCY = 64;
/** Between two reloads: each holds the event loop for some milliseconds, and anyone who reaches the port can ask for them. */
const RELOAD_REST_MS = 250;
/** Answers that are open at the end get so long. */
const CLOSING_MS = 2_000;

/** Watches until it is asked to end, and returns the exit status. Throws where it cannot begin. */
export async function runDaemon(plan: ProbePlan, deps: DaemonDeps): Promise<number> {
  const clock = deps.clock ?? systemProbeClock();
  const secrets = new SecretValues();
  const log = new ProbeLog({ sink: deps.log, secrets, level: 'info', now: () => clock.now_ms() });
  const metrics = new ProbeMetricsRegistry({
    seriesLimit: plan.series_limit,
    now: () => clock.mono_ms(),
    renderKeptMs: deps.renderKeptMs,
  });
  const inForce = await PlanInForce.open({ ...deps, plan, clock, metrics, log, secrets }, plan);
  const lag = EventLoopLag.start(() => clock.mono_ms());
  try {
    return await watch(inForce, { deps, clock, log, metrics, secrets, lag });
  } finally {
    lag.close();
    await inForce.close();
  }
}

interface Watching extends Pick<DaemonMeans, 'clock' | 'log' | 'metrics' | 'secrets'> {
  readonly deps: DaemonDeps;
  readonly lag: EventLoopLag;
}

type Reloaded = { readonly ok: true } | { readonly ok: false; readonly problem: string };

async function watch(inForce: PlanInForce, { deps, clock, log, metrics, secrets, lag }: Watching) {
  const { version } = deps;
  const started_ms = clock.now_ms();
  const { listen } = inForce.plan;
  let state: DaemonView['state'] = 'starting';
  let reload: DaemonView['reload'] = { successful: true, last_success_ms: started_ms, problem: null };
  const tellReload = (next: DaemonView['reload']): void => {
    reload = next;
    metrics.set('weighbridge_config_last_reload_successful', {}, next.successful ? 1 : 0);
    metrics.set('weighbridge_config_last_reload_success_timestamp_seconds', {}, next.last_success_ms / 1000);
  };
  tellReload(reload);
  metrics.set('weighbridge_build_info', { version, revision: deps.revision ?? '', node: process.version }, 1);
  exportProcessMetrics(
    metrics,
    readingsOfThisProcess(() => lag.read()),
  );
  metrics.onRender(() => {
    for (const target of inForce.targets()) target.sample();
  });
  const scheduler = new ProbeScheduler({
    clock,
    concurrency: CONCURRENCY,
    run: async (due) =>
      (await inForce.named(due.target.name)?.run(due)) ?? { kind: 'skipped', reason: 'paused' },
    skipped: ({ target, probe }, reason) => inForce.named(target.name)?.skipped(probe, reason),
    lag: (ms) => metrics.observe('weighbridge_probe_schedule_lag_seconds', {}, Math.max(0, ms) / 1000),
    failed: ({ target, probe }, error) =>
      log.error('a run failed by a fault of ours', error, { target: target.name, probe: probe.name }),
  });

  async function takePlan(): Promise<Reloaded> {
    try {
      const plan = deps.reload();
      await inForce.replace(plan);
      scheduler.replace(plan);
      if (JSON.stringify(plan.listen) !== JSON.stringify(listen))
        log.warn('probe.listen has changed: it takes effect at the next start');
      tellReload({ successful: true, last_success_ms: clock.now_ms(), problem: null });
      log.info('reloaded', { targets: plan.targets.length });
      return { ok: true };
    } catch (error) {
      const problem = error instanceof WeighbridgeError ? `${error.message}\n${error.hint}` : String(error);
      tellReload({ ...reload, successful: false, problem });
      log.error('not reloaded: the configuration before stays in force', error);
      return { ok: false, problem };
    }
  }
  // Two at once would open a new target twice; each reads the configuration on the event loop.
  const reloads = new JoinedWork(
    takePlan,
    () => new Promise<void>((resolve) => clock.setTimer(RELOAD_REST_MS, resolve)),
  );
  const view = (): DaemonView => {
    const now_ms = clock.now_ms();
    const targets = inForce.targets().map((target) => target.view(now_ms));
    return { version, state, not_ready: null, started_ms, now_ms, reload, targets };
  };
  await metrics.prepare();
  const server = await openProbeServer({
    listen,
    daemon: {
      view,
      render: (format) => metrics.render(format),
      reload: () => reloads.ask(),
      config: () => maskedConfig(inForce.plan),
      runNow: (target, probe) => scheduler.runNow(target, probe),
    },
    secrets,
    now: () => clock.now_ms(),
    onFault: (error) => log.error('a request was not answered by a fault of ours', error),
    onProblem: (problem) => log.warn('a file of the server is not usable', { problem }),
  });
  scheduler.replace(inForce.plan);
  state = 'ready';
  log.info('serving', { url: server.url, targets: inForce.targets().length });
  deps.serving(server.url);
  const offReload = deps.onReload(() => void reloads.ask());
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let hurry: Promise<unknown> | null = null;
  const offEnd = deps.onEnd((count) => {
    resolve();
    if (count > 1 && state === 'draining') hurry ??= scheduler.drain(0);
  });
  await asked;
  state = 'draining';
  offReload();
  log.info('draining', { at_most_ms: inForce.plan.drain_ms });
  for (const target of inForce.targets()) target.leaveTasks();
  const ended = await scheduler.drain(inForce.plan.drain_ms);
  await hurry;
  await reloads.idle();
  await server.close(AbortSignal.timeout(CLOSING_MS));
  offEnd();
  log.info('ended', { aborted_runs: ended.aborted, left_runs: ended.left });
  return EXIT.ok;
}
