import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { type Alert, PrometheusProcess, type Series } from '../prometheus-process.ts';

interface LivePrometheusOptions {
  readonly dir: string;
  readonly rules: string;
  readonly job: string;
  readonly scrapeMs: number;
  readonly addresses: readonly string[];
}

/** A Prometheus that scrapes daemons. It judges by the rules when every address was scraped: it looks for targets every five seconds. */
export class LivePrometheus {
  readonly #process: PrometheusProcess;
  readonly #configOf: (addresses: readonly string[]) => string;

  private constructor(process: PrometheusProcess, configOf: (addresses: readonly string[]) => string) {
    this.#process = process;
    this.#configOf = configOf;
  }

  static async start({
    dir,
    rules,
    job,
    scrapeMs,
    addresses,
  }: LivePrometheusOptions): Promise<LivePrometheus> {
    const configOf = (of: readonly string[]): string => configuration(job, scrapeMs, of);
    const process = await PrometheusProcess.start(dir, { config: configOf(addresses), rules: '' });
    while ((await process.query('up == 1')).length < addresses.length) await sleep(100);
    await process.reload(configOf(addresses), rules);
    return new LivePrometheus(process, configOf);
  }

  /** What is scraped from now on. */
  scrape(addresses: readonly string[]): Promise<void> {
    return this.#process.reload(this.#configOf(addresses));
  }

  /** Labels of all alerts that fire now. */
  async firing(): Promise<readonly Alert['labels'][]> {
    const alerts = await this.#process.alerts();
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  }

  /** Every series of the answer over a time, each second; seconds since the epoch. */
  range(query: string, start: number, end: number): Promise<readonly Series[]> {
    return this.#process.range(query, start, end);
  }
}

function configuration(job: string, scrapeMs: number, addresses: readonly string[]): string {
  const targets = addresses.map((address) => new URL(address).host);
  return stringify({
    global: { scrape_interval: `${scrapeMs}ms`, scrape_timeout: `${scrapeMs}ms` },
    // A job without targets, not no job: only then their series end at once.
    scrape_configs: [{ job_name: job, static_configs: [{ targets }] }],
  });
}
