import type { Command } from '../engine/watched-run.ts';

/** Starts of streamed chats at even times, as far as a tool can make them so. */
export interface PeerLoad {
  /** Root of the gateway. */
  readonly root: string;
  readonly key: string;
  readonly model: string;
  readonly per_s: number;
  readonly seconds: number;
  readonly max_tokens: number;
}

/** ms; null where a tool does not tell it. */
export interface Quantiles {
  readonly p50: number | null;
  readonly p99: number | null;
}

/** What a tool says of its run. */
export interface Told {
  readonly ttft: Quantiles;
  readonly e2e: Quantiles;
  readonly completed: number;
}

/** One tool, installed. `folder` is empty and of one run. */
interface Peer {
  readonly version: string;
  command(load: PeerLoad, folder: string): Omit<Command, 'folder'>;
  read(folder: string, log: string): Told | Promise<Told>;
}

export interface NamedPeer {
  readonly name: string;
  /** Throws with the reason where it cannot be had here. */
  readonly install: () => Peer;
}

export const NOT_TOLD: Quantiles = { p50: null, p99: null };

/** The prompt of call n: the gateway draws the times of a call from it. */
export function promptOf(n: number): string {
  return `weigh load ${n} `.repeat(12);
}

export function callsOf({ per_s, seconds }: PeerLoad): number {
  return per_s * seconds;
}

export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((left, right) => left - right);
  return { p50: interpolated(sorted, 0.5), p99: interpolated(sorted, 0.99) };
}

/** Linear between two ranks, as numpy and most tools read a quantile. */
function interpolated(sorted: readonly number[], q: number): number | null {
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return null;
  return low + (high - low) * (at - Math.floor(at));
}
