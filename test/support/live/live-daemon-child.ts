import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { loadConfig } from '../../../src/config/load-config.ts';
import { loadProbePlan } from '../../../src/config/load-probe.ts';
import type { ProbePlan } from '../../../src/contracts/probe-plan.ts';
import { runDaemon } from '../../../src/probe/daemon.ts';
import { openTargetWatch } from '../../../src/probe/target/open-target-watch.ts';

/**
 * The probe daemon of a configuration file with its intervals shortened: `node live-daemon-child.ts FILE STATE SCALE`.
 * It says on stdout where it serves, and later how long it had to wait for a processor; its log goes to stderr, and SIGTERM
 * ends it.
 */
const [file, state, timeScale] = z
  .tuple([z.string(), z.string(), z.coerce.number().positive()])
  .parse(process.argv.slice(2));
const { env } = process;
const { http, billing, archive } = loadConfig({ file, env, flags: {} });

/** The configuration says what it would at scale 1; probes and audits of own calls run that much more often. */
function plan(): ProbePlan {
  const flags = { listen: '127.0.0.1:0', state };
  const configured = loadProbePlan({ file, env, flags, embedded: null, budget: 'needed' });
  const targets = configured.targets.map((target) => ({
    ...target,
    probes: target.probes.map((probe) => ({ ...probe, interval_ms: probe.interval_ms * timeScale })),
  }));
  return { ...configured, targets, reconcile_ms: configured.reconcile_ms * timeScale };
}

const LOOK_MS = 500;

/** Milliseconds in which its event loop had work and no processor, each time that these are many. */
function tellWaiting(): void {
  let loop = performance.eventLoopUtilization();
  let used = process.threadCpuUsage();
  setInterval(() => {
    const busy_ms = performance.eventLoopUtilization(loop).active;
    const spent = process.threadCpuUsage(used);
    loop = performance.eventLoopUtilization();
    used = process.threadCpuUsage();
    const waited_ms = busy_ms - (spent.user + spent.system) / 1000;
    if (waited_ms >= LOOK_MS / 10) process.stdout.write(`waited ${Math.round(waited_ms)} ms\n`);
  }, LOOK_MS).unref();
}

tellWaiting();
process.exitCode = await runDaemon(plan(), {
  env,
  version: 'live-test',
  http,
  billing,
  archive_days: archive.days,
  log: { write: (line) => void process.stderr.write(line) },
  reload: plan,
  onEnd: (listener) => {
    void once(process, 'SIGTERM').then(() => listener(1));
    return () => undefined;
  },
  onReload: () => () => undefined,
  serving: (url) => void process.stdout.write(`${url}\n`),
  openWatch: openTargetWatch,
  renderKeptMs: 50,
});
