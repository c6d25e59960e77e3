/**
 * `node --expose-gc --import ./fast-time.ts many-runs.ts <base> <runs> <step> <folder> <factor>`: the daemon in this
 * process, in time that runs so many times as fast, until it has made so many runs. Tells its memory after each step.
 */
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config.ts';
import type { ProbePlan } from '../../src/contracts/probe-plan.ts';
import { runDaemon } from '../../src/probe/daemon.ts';
import { type ProbeClock, systemProbeClock } from '../../src/probe/schedule/probe-clock.ts';
import { openTargetWatch } from '../../src/probe/target/open-target-watch.ts';
import { MODEL, PROMPT, probeFile } from './watched-calls.ts';

const PROBES = 60;
const EVERY_MS = 4 * 60_000;
/** As Prometheus asks. */
const SCRAPE_MS = 1_000;
const FORMATS = ['chat', 'responses', 'messages'] as const;

const [, , base = '', runs = '100000', step = '10000', folder = '', factor = '1'] = process.argv;
const collect = globalThis.gc;
if (collect === undefined) throw new Error('run it with --expose-gc: what is garbage says nothing of a leak');

const plan: ProbePlan = {
  listen: { host: '127.0.0.1', port: 0, tls: null, auth: null },
  series_limit: 2_000,
  reconcile_ms: 15 * 60_000,
  drain_ms: 3_600_000,
  state_dir: join(folder, 'state'),
  targets: [
    {
      name: 'bench',
      folder: 'bench',
      bases: { root: base, v1: `${base}/v1`, api: `${base}/api` },
      loopback: true,
      key: 'env:WEIGHBRIDGE_API_KEY',
      access_token: null,
      user_id: null,
      headers: {},
      budget: { hour: 10n ** 18n, day: 10n ** 18n, month: null },
      assumed_run_usd: null,
      concurrency: PROBES,
      dialect: 'interface',
      watched_models: [MODEL],
      probes: Array.from({ length: PROBES }, (_, n) => ({
        name: `p${n}`,
        api: FORMATS[n % FORMATS.length] ?? 'chat',
        model: MODEL,
        stream: n % 2 === 0,
        interval_ms: EVERY_MS,
        timeout_ms: 60_000,
        max_tokens: 4,
        prompt: PROMPT,
        size: null,
        quality: null,
        seconds: null,
        task_timeout_ms: null,
        negative: null,
      })),
    },
  ],
};

const { http, billing, archive } = loadConfig({
  file: probeFile(folder, base, 1),
  env: process.env,
  flags: {},
});
let made = 0;
let failed = 0;
let end = (): void => {};
/** Its clocks are those of the process; what it waits for comes as much sooner. */
const system = systemProbeClock();
const clock: ProbeClock = {
  ...system,
  setTimer: (ms, fire) => system.setTimer(ms / Number(factor), fire),
};
function sample(): void {
  collect?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ runs: made, failed, rss_mb: rss / 1e6, heap_mb: heapUsed / 1e6 });
}

async function scraped(url: string): Promise<void> {
  await (await fetch(url, { headers: { accept: 'application/openmetrics-text' } })).text();
}

process.on('disconnect', () => process.exit(0));
await runDaemon(plan, {
  env: process.env,
  version: '0.0.0',
  http,
  billing,
  archive_days: archive.days,
  openWatch: openTargetWatch,
  reload: () => plan,
  onReload: () => () => {},
  onEnd: (listener) => {
    end = () => listener(1);
    return () => {};
  },
  clock,
  serving: (url) => {
    setInterval(() => scraped(`${url}/metrics`), SCRAPE_MS).unref();
  },
  log: {
    write: (line) => {
      if (!line.includes('"msg":"run"')) return;
      made += 1;
      if (!line.includes('"error_type":"none"')) failed += 1;
      if (made % Number(step) === 0) sample();
      if (made === Number(runs)) end();
    },
  },
});
process.send?.({ done: true });
