import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** As Prometheus asks. */
const HEADERS = {
  accept: 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
  'accept-encoding': 'gzip',
};
/** Above the second for which a rendering is kept, so that each scrape renders. */
const EVERY_MS = 2_000;

export interface Scrapes {
  /** Of a daemon that nobody has scraped yet: all that it shows is rendered, by code that has not run before. */
  readonly first_ms: number;
  /** All others. */
  readonly scrape_ms: readonly number[];
  /** An answer of a few bytes just before each: what of the time is no rendering. */
  readonly idle_ms: readonly number[];
  readonly series: number;
  readonly bytes: number;
  /** The last rendering alone, by the daemon's own gauge. */
  readonly render_ms: number;
  /** By the daemon's own gauge, of its last full ten seconds. */
  readonly loop_lag_max_ms: number;
}

/** Scrapes the daemon for so long, and tells what each took from the request to the last byte. */
export async function scrapes(url: string, for_ms: number): Promise<Scrapes> {
  const agent = new Agent({ keepAlive: true });
  const scrape_ms: number[] = [];
  const idle_ms: number[] = [];
  const first = await taken(`${url}/metrics`, agent, HEADERS);
  let bytes = 0;
  const until = performance.now() + for_ms;
  while (performance.now() < until) {
    await delay(EVERY_MS);
    idle_ms.push((await taken(`${url}/-/healthy`, agent, {})).ms);
    const scrape = await taken(`${url}/metrics`, agent, HEADERS);
    scrape_ms.push(scrape.ms);
    bytes = scrape.body.length;
  }
  const { body } = await taken(`${url}/metrics`, agent, { accept: 'text/plain' });
  const text = body.toString();
  agent.destroy();
  const render_ms = gauge(text, 'weighbridge_metrics_render_seconds') * 1000;
  const loop_lag_max_ms = gauge(text, 'nodejs_eventloop_lag_max_seconds') * 1000;
  return {
    first_ms: first.ms,
    scrape_ms,
    idle_ms,
    series: text.match(/^[a-z]/gm)?.length ?? 0,
    bytes,
    render_ms,
    loop_lag_max_ms,
  };
}

function gauge(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

function taken(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly ms: number; readonly body: Buffer }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ ms: performance.now() - began, body: Buffer.concat(parts) }));
    }).on('error', reject);
  });
}
