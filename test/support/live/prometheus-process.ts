import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { z } from 'zod';

const RULES_FILE = 'live.rules.yml';

const labels = z.record(z.string(), z.string());
const alertsAnswer = z.object({
  data: z.object({
    alerts: z.array(z.looseObject({ labels, state: z.enum(['pending', 'firing', 'inactive']) })),
  }),
});
const sample = z.tuple([z.number(), z.string()]);
const queryAnswer = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ metric: labels, values: z.array(sample) })) }),
});
type Labels = z.infer<typeof labels>;
export type Series = z.infer<typeof queryAnswer>['data']['result'][number];

interface PrometheusOptions {
  readonly dir: string;
  readonly rules: string;
  readonly job: string;
  readonly scrapeMs: number;
  readonly addresses: readonly string[];
}

/** A real Prometheus with rules. It judges by them when every address was scraped: it looks for targets every five seconds. */
export class PrometheusProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #options: PrometheusOptions;
  readonly url: string;
  #said = '';

  private constructor(options: PrometheusOptions, port: number) {
    const { dir } = options;
    this.#options = options;
    this.url = `http://127.0.0.1:${port}`;
    this.#child = spawn(
      'prometheus',
      [
        `--config.file=${join(dir, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(dir, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-lifecycle',
        '--web.enable-remote-write-receiver',
        '--enable-feature=native-histograms,exemplar-storage',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#exit = once(this.#child, 'exit');
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
  }

  static async start(options: PrometheusOptions): Promise<PrometheusProcess> {
    writeFileSync(join(options.dir, RULES_FILE), '');
    writeConfig(options, options.addresses);
    const prometheus = new PrometheusProcess(options, await freePort());
    await prometheus.#ready();
    while ((await prometheus.#up()) < options.addresses.length) await sleep(100);
    writeFileSync(join(options.dir, RULES_FILE), options.rules);
    await prometheus.scrape(options.addresses);
    return prometheus;
  }

  /** What is scraped from now on. */
  async scrape(addresses: readonly string[]): Promise<void> {
    writeConfig(this.#options, addresses);
    const answer = await fetch(`${this.url}/-/reload`, { method: 'POST' });
    if (!answer.ok) throw new Error(`Prometheus refused its configuration: ${await answer.text()}`);
  }

  /** Labels of all alerts that fire now. */
  async firing(): Promise<readonly Labels[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`);
    const { alerts } = alertsAnswer.parse(await answer.json()).data;
    return alerts.filter(({ state }) => state === 'firing').map((alert) => alert.labels);
  }

  /** Every series of the answer over a time, seconds since the epoch. */
  async range(query: string, start: number, end: number, step: number): Promise<readonly Series[]> {
    const body = new URLSearchParams({
      query,
      start: String(start),
      end: String(end),
      step: String(step),
    });
    const answer = await fetch(`${this.url}/api/v1/query_range`, { method: 'POST', body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${query}\n${text}`);
    return queryAnswer.parse(JSON.parse(text)).data.result;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exit;
  }

  async #up(): Promise<number> {
    const now = Date.now() / 1000;
    return (await this.range('up == 1', now, now, 1)).length;
  }

  async #ready(): Promise<void> {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`Prometheus ended:\n${this.#said}`);
      const answer = await fetch(`${this.url}/-/ready`).catch(() => null);
      if (answer?.ok === true) return;
      await Promise.race([new Promise((again) => setTimeout(again, 50)), this.#exit]);
    }
  }
}

function writeConfig({ dir, job, scrapeMs }: PrometheusOptions, addresses: readonly string[]): void {
  const targets = addresses.map((address) => new URL(address).host);
  const config = {
    global: { scrape_interval: `${scrapeMs}ms`, scrape_timeout: `${scrapeMs}ms` },
    rule_files: [join(dir, RULES_FILE)],
    // A job without targets, not no job: only then their series end at once.
    scrape_configs: [{ job_name: job, static_configs: [{ targets }] }],
  };
  writeFileSync(join(dir, 'prometheus.yml'), stringify(config));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
