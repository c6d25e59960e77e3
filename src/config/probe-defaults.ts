import type { BudgetLimits } from '../contracts/probe-plan.ts';

/** What holds where the `probe:` section says nothing. */
export const PROBE_DEFAULTS = {
  listen: '127.0.0.1:9464',
  series_limit: 2_000,
  reconcile: '5m',
  drain: '30s',
  concurrency: 4,
  text: {
    every: '5m',
    timeout: '60s',
    max_tokens: 64,
    stream: 'both',
    prompt: 'Count from one to twenty in English words, separated by commas.',
  },
  images: {
    every: '1h',
    timeout: '3m',
    task_timeout: '15m',
    size: '1024x1024',
    // Not auto: what auto picks is the gateway's choice, and its price could only be bounded.
    quality: 'medium',
    prompt: 'A plain grey square on a white ground.',
  },
  videos: {
    every: '6h',
    timeout: '60s',
    task_timeout: '30m',
    size: '1280x720',
    seconds: 4,
    prompt: 'A grey square that moves slowly from left to right.',
  },
  free: {
    models: '1m',
    pricebook: '5m',
    usage: '5m',
    usage_requests: '5m',
    account: '5m',
    timeout: '15s',
  },
  negative: { every: '1h', timeout: '15s' },
} as const;

/** Shortest interval of each sort of probe. */
export const SHORTEST = {
  paid_ms: 10_000,
  free_ms: 5_000,
  /** Refused credentials in a row are what gateways lock addresses out for. */
  negative_ms: 3_600_000,
} as const;

/** What a target that is not loopback bears: as a load plan without a permission (plan/load-permission). */
export const REMOTE_LIMITS = { runs_per_second: 2, concurrency: 5 } as const;

/** The embedded gateway that the command itself started costs nothing: its probes are many, its caps out of the way. */
export const EMBEDDED_PROBES = {
  text_every: '15s',
  images_every: '1m',
  videos_every: '2m',
  negative_every: '1m',
} as const;

export const EMBEDDED_BUDGET: BudgetLimits = {
  hour: 100n * 10n ** 12n,
  day: 1_000n * 10n ** 12n,
  month: 31_000n * 10n ** 12n,
};
