import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
const series = z.object({ metric: labels, values: z.array(sample).default([]), value: sample.optional() });
const alert = z.object({ labels, state: z.string() });

export type Alert = z.infer<typeof alert>;
export type Series = z.infer<typeof series>;

const RULES_FILE = 'rules.yml';

/** A real Prometheus with a folder of its own, which takes what load runs push. It ends with the test. */
export class PrometheusProcess {
  readonly url: string;
  readonly #dir: string;
  readonly #child: ChildProcess;
  #said = '';

  private constructor(dir: string, port: number) {
    this.#dir = dir;
    this.url = `http://127.0.0.1:${port}`;
    this.#child = spawn(
      'prometheus',
      [
        `--config.file=${join(dir, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(dir, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-remote-write-receiver',
        '--web.enable-lifecycle',
        '--enable-feature=native-histograms,exemplar-storage',
        '--log.level=warn',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    const ended = once(this.#child, 'exit');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await ended;
    });
  }

  /** Resolves once it answers. `config` and `rules` are what stands in its files. */
  static async start(
    dir: string,
    { config, rules }: { readonly config: string; readonly rules: string },
  ): Promise<PrometheusProcess> {
    writeFiles(dir, config, rules);
    const prometheus = new PrometheusProcess(dir, await freePort());
    await prometheus.#ready();
    return prometheus;
  }

  /** Goes by another configuration from now on; the rules stay where none are given. */
  async reload(config: string, rules: string | null = null): Promise<void> {
    writeFiles(this.#dir, config, rules);
    const answer = await fetch(`${this.url}/-/reload`, { method: 'POST' });
    if (!answer.ok) throw new Error(`Prometheus refused its configuration: ${await answer.text()}`);
  }

  async #ready(): Promise<void> {
    for (;;) {
      const up = await fetch(`${this.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (up) return;
      if (this.#child.exitCode !== null) throw new Error(`Prometheus ended: ${this.#said}`);
      await new Promise((next) => setTimeout(next, 50));
    }
  }

  /** All that are pending or fire. */
  async alerts(): Promise<readonly Alert[]> {
    return (await this.#get('alerts', {}, z.object({ alerts: z.array(alert) }))).alerts;
  }

  async query(query: string): Promise<readonly Series[]> {
    return (await this.#get('query', { query }, z.object({ result: z.array(series) }))).result;
  }

  /** Times in seconds since 1970. */
  async range(query: string, start: number, end: number): Promise<readonly Series[]> {
    const asked = { query, start: String(start), end: String(end), step: '1' };
    return (await this.#get('query_range', asked, z.object({ result: z.array(series) }))).result;
  }

  /** The labels of every series that a selector finds. */
  series(match: string): Promise<readonly Readonly<Record<string, string>>[]> {
    return this.#get('series', { 'match[]': match }, z.array(labels));
  }

  async #get<T>(path: string, asked: Readonly<Record<string, string>>, schema: z.ZodType<T>): Promise<T> {
    // Queries of dashboards are longer than an address may be; `series` and `alerts` are not.
    const body = new URLSearchParams(asked);
    const url = `${this.url}/api/v1/${path}`;
    const answer = await (path.startsWith('query')
      ? fetch(url, { method: 'POST', body })
      : fetch(`${url}?${body}`));
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} ${JSON.stringify(asked)}: ${text}`);
    return z.object({ data: schema }).parse(JSON.parse(text)).data;
  }
}

function writeFiles(dir: string, config: string, rules: string | null): void {
  writeFileSync(join(dir, 'prometheus.yml'), `${config}\nrule_files: [${RULES_FILE}]\n`);
  if (rules !== null) writeFileSync(join(dir, RULES_FILE), rules);
}

/** Prometheus does not tell which port it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
}
