/** What of each target is watched, as in a configuration at scale 1. Every target has an account, a key and faults of its own. */
export const LIVE_TARGETS = {
  honest: {
    concurrency: 32,
    text: {
      ...{ models: ['elm/elm-8b-instruct'], stream: true, every: '20m', max_tokens: 8 },
      // A cache holds no short prompt, and the panels of the cache are asked, too.
      ...{ cached: true, prompt: 'The mill by the river grinds the corn of the whole valley. '.repeat(6) },
    },
    images: { models: ['lumen-image-mini'], kinds: ['image', 'image_job'], every: '20m' },
    videos: { models: ['quartz-lite:i2v'], every: '40m', task_timeout: '30s' },
    watch_models: ['aspen-mini'],
    free: { models: '20m', pricebook: '20m', usage: '20m', usage_requests: '20m', account: '20m' },
    negative: { rules: ['no_key', 'wrong_key_kind', 'unknown_model', 'missing_user_header'], every: '20m' },
  },
  burning: {
    probes: [chat({ name: 'burning-a', every: '8m' }), chat({ name: 'burning-b', every: '8m' })],
    free: bookOnly(),
  },
  down: {
    probes: ['a', 'b', 'c'].map((part) => chat({ name: `down-${part}`, every: '8m' })),
    free: { ...bookOnly(), pricebook: 'off' },
  },
  broken_streams: { probes: [chat({ api: 'messages', stream: true, every: '8m' })], free: bookOnly() },
  slow: {
    probes: ['a', 'b', 'c', 'd'].map((part) => chat({ name: `slow-${part}`, stream: true, every: '8m' })),
    free: bookOnly(),
  },
  crowded: { probes: [chat({ api: 'responses', every: '10m' })], free: bookOnly() },
  failing_tasks: { probes: [video({ every: '20m' })], free: bookOnly() },
  backward_tasks: { probes: [video({ every: '20m' })], free: bookOnly() },
  open_door: {
    probes: [video({ every: '20m' })],
    negative: { rules: ['result_before_completion'], every: '10m' },
    free: bookOnly(),
  },
  stuck_tasks: {
    probes: [
      video({ name: 'stuck-a', model: 'orbit-2-pro', every: '60m' }),
      video({ name: 'stuck-b', model: 'orbit-2-pro', every: '60m' }),
    ],
    free: { ...bookOnly(), usage: '10m' },
  },
  off_contract: { probes: [chat({ every: '10m' })], free: bookOnly() },
  paced: { probes: [chat({ every: '8m' })], free: bookOnly() },
  shrinking: { watch_models: ['aspen'], free: { ...bookOnly(), models: '10m' } },
  overspending: {
    probes: [{ api: 'image', model: 'lumen-image-mini', quality: 'low', every: '10m' }],
    free: { ...bookOnly(), usage: '10m', account: '10m' },
  },
  forgetful: { probes: [chat({ every: '10m' })], free: { ...bookOnly(), usage: '10m' } },
  late: { probes: [chat({ every: '15m' })], free: bookOnly() },
  capped: { probes: [chat({ every: '10m' })], free: bookOnly() },
  expiring: { probes: [chat({ every: '20m' })], free: bookOnly() },
  /** Of a gateway of its own, for it has one price book for everybody. */
  repriced: { watch_models: ['aspen'], free: { ...bookOnly(), pricebook: '10m' } },
} as const;

export type LiveTarget = keyof typeof LIVE_TARGETS;

function chat(given: object): object {
  return { api: 'chat', model: 'elm/elm-8b-instruct', max_tokens: 8, ...given };
}

function video(given: object): object {
  return { api: 'video', model: 'quartz-lite:i2v', task_timeout: '30s', ...given };
}

function bookOnly(): Readonly<Record<string, string>> {
  return { models: 'off', pricebook: '60m', usage: 'off', usage_requests: 'off', account: 'off' };
}

/** Watched by a second daemon, which holds own calls against their records; the first leaves that out. */
export const AUDITED: readonly LiveTarget[] = ['honest', 'overspending', 'late', 'forgetful'];

export function isLiveTarget(name: string): name is LiveTarget {
  return name in LIVE_TARGETS;
}
