import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { daemonCalls, type MeasuredCall } from './first-token-errors.ts';
import { type Scrapes, scrapes } from './scrapes.ts';
import { probeFile } from './watched-calls.ts';
import { WatchingDaemon } from './watching-daemon.ts';

/** Opening the state, reading the first documents and compiling are no part of watching. */
const START_MS = 5_000;

export interface LevelRound {
  readonly calls: readonly MeasuredCall[];
  readonly told: Scrapes;
  /** Of one core. */
  readonly cpu_share: number;
  readonly rss_mb: number;
}

/** A daemon with so many probes for so long, scraped meanwhile. */
export async function levelRound(
  dir: string,
  probes: number,
  gateway: { readonly base_url: string; readonly api_key: string },
  seconds: number,
): Promise<LevelRound> {
  const state = join(dir, 'state');
  const config = probeFile(dir, gateway.base_url, probes);
  const daemon = await WatchingDaemon.start(config, state, gateway.api_key);
  await delay(START_MS);
  const began = { at: performance.now(), cpu_ms: daemon.cpuMs() };
  const told = await scrapes(daemon.url, seconds * 1000);
  const cpu_share = (daemon.cpuMs() - began.cpu_ms) / (performance.now() - began.at);
  const rss_mb = daemon.rssMb();
  await daemon.stop();
  return { calls: daemonCalls(state), told, cpu_share, rss_mb };
}
