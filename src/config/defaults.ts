/** What holds where flags, environment and file say nothing. The default traffic is in weighbridge.yaml. */
export const DEFAULTS = {
  key: 'shared',
  duration: '60s',
  seed: 1,
  drain: '10m',
  timeouts: {
    connect: '10s',
    headers: '2m',
    first_token: '60s',
    idle: '60s',
    total: '5m',
    task: '10m',
  },
  traffic: {
    max_in_flight: 50,
    stream: 0.5,
    prompt_tokens: 200,
    max_tokens: 128,
    image_size: '1024x1024',
    // Not auto: what auto picks is the gateway's choice, and its price could only be bounded.
    quality: 'medium',
    response_format: 'url',
    /** For image edits; other kinds are always JSON. */
    multipart: 0.5,
    seconds: 4,
    video_size: '1280x720',
  },
  tolerances: { min_checked: 0.95, gate: 'S3' },
  settle: { wait: '30s', poll: '2s' },
} as const;
