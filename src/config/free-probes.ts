import { FREE_READS, NEGATIVE_RULES, type NegativeRule, type Probe } from '../contracts/probe-plan.ts';
import { msOf } from './duration.ts';
import { NO_SHAPE } from './paid-probes.ts';
import { PROBE_DEFAULTS } from './probe-defaults.ts';
import type { ProbeSettings } from './probe-keys.ts';
import { isTask } from './probe-rules.ts';

export type FreeApi = (typeof FREE_READS)[number];

/** What a target can be asked with: its credentials, and whose it is. */
export interface ProbeMeans {
  readonly key: boolean;
  /** Access token and user id. */
  readonly token: boolean;
  readonly loopback: boolean;
}

/** Why a free probe cannot be made; null where it can. */
export function freeLacks(api: FreeApi, { key, token }: ProbeMeans): string | null {
  if (api === 'account') return token ? null : 'needs access_token and user_id';
  return api.startsWith('usage') && !key ? 'needs a key' : null;
}

/** The free probes: each that the credentials allow and that is not turned off. */
export function freeProbes(settings: ProbeSettings, means: ProbeMeans): Probe[] {
  return FREE_READS.flatMap((api) => {
    const every = settings.free?.[api] ?? msOf(PROBE_DEFAULTS.free[api]);
    if (every === 'off' || freeLacks(api, means) !== null) return [];
    return [{ ...BARE, name: api, api, interval_ms: every, timeout_ms: msOf(PROBE_DEFAULTS.free.timeout) }];
  });
}

/** Why a request that must be refused cannot be made; null where it can. */
export function negativeLacks(rule: NegativeRule, means: ProbeMeans, paid: readonly Probe[]): string | null {
  switch (rule) {
    case 'no_key':
      return null;
    case 'wrong_key_kind':
      return means.key || means.token
        ? null
        : 'needs a key or an access_token, to send it where the other belongs';
    case 'unknown_model':
      return means.key ? null : 'needs a key';
    case 'missing_user_header':
      return means.token ? null : 'needs access_token and user_id';
    case 'result_before_completion':
      return paid.some(({ api }) => isTask(api))
        ? null
        : 'needs a probe of image_job, image_edit_job or video: it asks for the result of their tasks';
  }
}

/** Requests that must be refused: those asked for, else on loopback all that can be made. */
export function negativeProbes(settings: ProbeSettings, means: ProbeMeans, paid: readonly Probe[]): Probe[] {
  const { rules = means.loopback ? NEGATIVE_RULES : [], every, timeout } = settings.negative ?? {};
  const { negative } = PROBE_DEFAULTS;
  return [...new Set(rules)]
    .filter((rule) => negativeLacks(rule, means, paid) === null)
    .map((rule) => ({
      ...BARE,
      name: `negative-${rule}`,
      api: 'negative',
      interval_ms: every ?? msOf(negative.every),
      timeout_ms: timeout ?? msOf(negative.timeout),
      negative: rule,
    }));
}

const BARE = {
  model: null,
  stream: false,
  max_tokens: null,
  prompt: null,
  ...NO_SHAPE,
  negative: null,
} as const;
