/** What a target that is not loopback bears without a permission. */
export const FREE_LOAD = { millirate: 2_000, in_flight: 5 } as const;

/** What holds where flags, environment and file say nothing. The default traffic is in weighbridge.yaml. */
export const DEFAULTS = {
  key: 'shared',
  duration: '60s',
  seed: 1,
  drain: '10m',
  warm_up: '0s',
  cool_down: '0s',
  calls_per_vu: 1,
  keep_text: false,
  timeouts: {
    connect: '10s',
    headers: '2m',
    first_token: '60s',
    idle: '60s',
    total: '5m',
    task: '10m',
  },
  // A completed request sent again can be charged again, so nothing is unless it is asked for.
  retry: { max_attempts: 1, first_wait: '1s', factor: 2, max_wait: '30s', jitter: 0.2 },
  http: {
    debug: 'off',
    http2: true,
    reuse: 'vu',
    dns: { ttl: '5m', select: 'random', policy: 'preferIPv4' },
    insecure_skip_tls_verify: false,
  },
  stop: { over: '30s', min_calls: 20 },
  trace: { speed: 1 },
  traffic: {
    arrival: 'even',
    max_in_flight: 50,
    stream: 0.5,
    prompt_tokens: 200,
    max_tokens: 128,
    cached_share: 0,
    prompts_order: 'in_turn',
    think: '0s',
    image_size: '1024x1024',
    // Not auto: what auto picks is the gateway's choice, and its price could only be bounded.
    quality: 'medium',
    response_format: 'url',
    /** For image edits; other kinds are always JSON. */
    multipart: 0.5,
    seconds: 4,
    video_size: '1280x720',
  },
  tolerances: { min_checked: 0.95, gate: 'S3', gate_usd: '0' },
  settle: { wait: '30s', poll: '2s' },
  archive: { days: 800 },
} as const;
