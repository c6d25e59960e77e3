import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';

/** A chat probe of model `m` every five minutes; `more` changes any field. */
export function probeOf(more: Partial<Probe> = {}): Probe {
  return {
    name: 'chat-m',
    api: 'chat',
    model: 'm',
    stream: false,
    interval_ms: 300_000,
    timeout_ms: 60_000,
    max_tokens: 64,
    prompt: 'x'.repeat(50),
    size: null,
    quality: null,
    seconds: null,
    task_timeout_ms: null,
    negative: null,
    ...more,
  };
}

/** A target with these probes; caps in USD. */
export function targetOf(
  probes: readonly Probe[],
  budget: { hour: bigint; day: bigint; month?: bigint } | null = null,
): ProbeTarget {
  return {
    name: 'main',
    folder: 'main',
    bases: { root: 'https://host', v1: 'https://host/v1', api: 'https://host/api' },
    loopback: false,
    key: 'env:KEY',
    access_token: null,
    user_id: null,
    headers: {},
    budget: budget && { month: null, ...budget },
    assumed_run_usd: null,
    concurrency: 4,
    probes,
    dialect: 'auto',
    watched_models: ['m'],
  };
}
