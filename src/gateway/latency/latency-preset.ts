import type { LatencyDistribution } from './distribution.ts';
import type { LatencyModel } from './latency-model.ts';

export const LATENCY_PRESETS = ['fast', 'realistic', 'slow', 'overloaded'] as const;
export type LatencyPreset = (typeof LATENCY_PRESETS)[number];

function around(median_ms: number, spread: number): LatencyDistribution {
  return { kind: 'lognormal', median_ms, spread };
}

const UNLOADED = { load_factor: 1, max_in_flight: null, max_queue: null, retry_after_s: 1 };

const REALISTIC: LatencyModel = {
  ...UNLOADED,
  ttft: around(180, 0.4),
  itl: around(12, 0.35),
  image: around(2500, 0.3),
  job_queue: around(300, 0.5),
  job_run: around(2500, 0.3),
  video_queue: around(800, 0.5),
  video_run: around(6000, 0.3),
};

const PRESETS: Readonly<Record<LatencyPreset, LatencyModel>> = {
  fast: {
    ...UNLOADED,
    ttft: around(5, 0.3),
    itl: around(1, 0.3),
    image: around(15, 0.3),
    job_queue: around(10, 0.3),
    job_run: around(30, 0.3),
    video_queue: around(10, 0.3),
    video_run: around(40, 0.3),
  },
  realistic: REALISTIC,
  slow: {
    ...UNLOADED,
    ttft: around(1500, 0.6),
    itl: around(60, 0.5),
    image: around(12_000, 0.4),
    job_queue: around(2000, 0.5),
    job_run: around(12_000, 0.4),
    video_queue: around(5000, 0.6),
    video_run: around(30_000, 0.4),
  },
  overloaded: {
    ...REALISTIC,
    ttft: around(250, 0.6),
    itl: around(15, 0.5),
    load_factor: 4,
    max_in_flight: 16,
    max_queue: 32,
    retry_after_s: 2,
  },
};

export function latencyOf(preset: LatencyPreset): LatencyModel {
  return PRESETS[preset];
}
