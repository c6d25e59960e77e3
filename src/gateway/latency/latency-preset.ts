import type { LogNormal } from './log-normal.ts';

export const LATENCY_PRESETS = ['fast', 'realistic'] as const;
export type LatencyPreset = (typeof LATENCY_PRESETS)[number];

/** Milliseconds. */
export interface LatencyModel {
  /** From acceptance to the first piece of text. */
  readonly ttft: LogNormal;
  readonly per_token: LogNormal;
  /** One image made while the client waits. */
  readonly image: LogNormal;
  readonly job_queue: LogNormal;
  readonly job_run: LogNormal;
  readonly video_queue: LogNormal;
  readonly video_run: LogNormal;
}

export const LATENCY: Readonly<Record<LatencyPreset, LatencyModel>> = {
  fast: {
    ttft: { median: 5, spread: 0.3 },
    per_token: { median: 1, spread: 0.3 },
    image: { median: 15, spread: 0.3 },
    job_queue: { median: 10, spread: 0.3 },
    job_run: { median: 30, spread: 0.3 },
    video_queue: { median: 10, spread: 0.3 },
    video_run: { median: 40, spread: 0.3 },
  },
  realistic: {
    ttft: { median: 180, spread: 0.4 },
    per_token: { median: 12, spread: 0.35 },
    image: { median: 2500, spread: 0.3 },
    job_queue: { median: 300, spread: 0.5 },
    job_run: { median: 2500, spread: 0.3 },
    video_queue: { median: 800, spread: 0.5 },
    video_run: { median: 6000, spread: 0.3 },
  },
};
