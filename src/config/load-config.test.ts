import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ConfigRequest, DEFAULT_PLAN_FILE, loadConfig } from './load-config.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-config-'));
const empty = mkdtempSync(join(tmpdir(), 'wb-config-empty-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
  rmSync(empty, { recursive: true });
});

let files = 0;
function write(text: string): string {
  files += 1;
  const path = join(dir, `config-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

function load(text: string, more: Partial<ConfigRequest> = {}) {
  return loadConfig({ file: write(text), env: {}, flags: {}, ...more });
}

const PLAIN_TEXT = {
  max_tokens_key: null,
  cached_share: 0,
  prompts: null,
  session: null,
  watermark_modulus: null,
};

describe('loadConfig', () => {
  it('takes a flag over the environment over the file over the default, and says which', () => {
    const text = 'version: 1\nduration: 40s\nseed: 4\nspend: {max_usd: "4"}\n';
    const config = load(text, {
      env: { WEIGHBRIDGE_DURATION: '30s', WEIGHBRIDGE_SEED: '3' },
      flags: { duration: '20s' },
    });
    expect([config.duration_ms, config.seed, config.spend.max_usd, config.target.key]).toEqual([
      20_000,
      3,
      '4',
      'shared',
    ]);
    expect(config.origins).toMatchObject({
      duration: 'flag',
      seed: 'env',
      'spend.max_usd': 'file',
      'target.key': 'default',
    });
  });

  it('reads every setting from the environment', () => {
    const config = load('version: 1', {
      env: {
        WEIGHBRIDGE_TARGET: 'http://127.0.0.1:1/v1',
        WEIGHBRIDGE_MAX_SPEND_USD: '0.5',
        WEIGHBRIDGE_RATE_SCALE: '2',
        WEIGHBRIDGE_NONCE: 'n1',
      },
    });
    expect(config.target.bases?.root).toBe('http://127.0.0.1:1');
    expect(config.spend.max_usd).toBe('0.5');
    expect(config.traffic[0]?.millirate).toBe(5_000);
    expect(config.nonce).toBe('n1');
  });

  it('finds ./weighbridge.yaml, WEIGHBRIDGE_CONFIG, and else the default plan', () => {
    writeFileSync(join(dir, 'weighbridge.yaml'), 'version: 1\nseed: 7\n');
    const other = write('version: 1\nseed: 8\n');
    expect(loadConfig({ cwd: dir, env: {}, flags: {} }).seed).toBe(7);
    expect(loadConfig({ cwd: dir, env: { WEIGHBRIDGE_CONFIG: other }, flags: {} }).seed).toBe(8);
    expect(loadConfig({ cwd: empty, env: {}, flags: {} }).file).toBe(DEFAULT_PLAN_FILE);
    expect(() => loadConfig({ file: join(empty, 'none.yaml'), env: {}, flags: {} })).toThrow(
      'does not exist',
    );
  });

  it('fills in each entry of the traffic by its kind', () => {
    const config = load(`version: 1
traffic:
  - { kind: chat, rate: 1/s }
  - { kind: chat, rate: 1/s, stream: 0, prompt_tokens: 50, max_tokens: 9, model: "a b/c:d@e,f='g'" }
  - { kind: image, rate: 1/s, quality: low }
  - { kind: image_edit, rate: 1/s }
  - { kind: video, rate: 1/s, seconds: 8 }
`);
    expect(config.traffic.map(({ name, text, image, video }) => [name, text ?? image ?? video])).toEqual([
      ['chat', { ...PLAIN_TEXT, stream_share: 0.5, prompt_tokens: 200, max_tokens: 128 }],
      ['chat-2', { ...PLAIN_TEXT, stream_share: 0, prompt_tokens: 50, max_tokens: 9 }],
      ['image', { size: '1024x1024', quality: 'low', response_format: 'url', multipart_share: 0 }],
      ['image_edit', { size: '1024x1024', quality: 'medium', response_format: 'url', multipart_share: 0.5 }],
      ['video', { seconds: 8, size: '1280x720' }],
    ]);
    expect(config.traffic[1]?.model).toBe("a b/c:d@e,f='g'");
    expect(config.default_traffic).toBe(false);
    expect(config.origins).toMatchObject({ 'traffic[1].stream': 'file', 'traffic[0].stream': 'default' });
  });

  it.each(['m'.repeat(191), '模'.repeat(191), ' spaces and "quotes" ', 'a/b:c@d,e=f', "it's", '\\n'])(
    'keeps the model id %j as it is',
    (id) => {
      const quoted = JSON.stringify(id);
      const config = load(
        `version: 1\ntraffic: [{kind: chat, rate: 1/s, model: ${quoted}}]\nmodels: {${quoted}: {max_output: 5}}`,
      );
      expect(config.traffic[0]?.model).toBe(id);
      expect([...config.models]).toEqual([[id, { max_output: 5, max_in_flight: null, max_usd: null }]]);
    },
  );

  it('names each bad flag and variable, and repeats no password', () => {
    const load = () =>
      loadConfig({
        cwd: empty,
        env: { WEIGHBRIDGE_SEED: 'x', WEIGHBRIDGE_TARGET: 'https://u:hunter2@h' },
        flags: { duration: '5x', rateScale: '-1', maxSpendUsd: '$2', nonce: 'a b' },
      });
    expect(load).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        exitCode: 2,
        message: expect.stringMatching(
          /^--max-spend-usd: .*\n--duration: .*\n--rate-scale: .*\n--nonce: .*\nWEIGHBRIDGE_TARGET: .*\nWEIGHBRIDGE_SEED: .* — found "x"$/,
        ),
      }),
    );
    expect(load).not.toThrow('hunter2');
  });

  it('refuses a scale that no whole millirate holds', () => {
    expect(() =>
      load('version: 1\ntraffic: [{kind: chat, rate: 0.015/s}]', { flags: { rateScale: '0.1' } }),
    ).toThrow('--rate-scale traffic[0].rate: must be a whole number of calls in 1000 s');
  });

  it('takes a factor over rates from the file, and says where a bad one stands', () => {
    const traffic = 'traffic: [{kind: chat, rate: 0.015/s}]';
    expect(load('version: 1\nrate_scale: "2"').traffic[0]?.millirate).toBe(5_000);
    expect(load('version: 1\nrate_scale: "2"', { flags: { rateScale: '0.2' } }).rate_scale).toBe('0.2');
    expect(() => load(`version: 1\nrate_scale: "0.1"\n${traffic}`)).toThrow(
      'rate_scale traffic[0].rate: must',
    );
    expect(() => load(`version: 1\n${traffic}`, { env: { WEIGHBRIDGE_RATE_SCALE: '0.1' } })).toThrow(
      'WEIGHBRIDGE_RATE_SCALE traffic[0].rate: must',
    );
  });

  it('advises no quotes where a flag or variable is text anyway', () => {
    const rule = 'must be USD such as 2.00 — found "1,5"';
    expect(() => load('version: 1', { flags: { maxSpendUsd: '1,5' } })).toThrow(`--max-spend-usd: ${rule}`);
    expect(() => load('version: 1', { env: { WEIGHBRIDGE_MAX_SPEND_USD: '1,5' } })).toThrow(
      `WEIGHBRIDGE_MAX_SPEND_USD: ${rule}`,
    );
  });

  it('reads how the load is made, and says who set what', () => {
    const config = load(`version: 1
warm_up: 5s
retry: { max_attempts: 3 }
http: { dns: { ttl: 30s } }
limits: { stop: { share_5xx: 0.5 } }
traffic:
  - { kind: chat, rate: 1/s, arrival: poisson, prompts: { file: texts/p.txt } }
  - { kind: chat, concurrency: 80, session: { turns: 3 }, watermark: { modulus: 64 } }
`);
    expect(config.retry).toEqual({
      max_attempts: 3,
      first_wait_ms: 1_000,
      factor: 2,
      max_wait_ms: 30_000,
      jitter: 0.2,
    });
    expect(config.http.dns).toEqual({ ttl: '30s', select: 'random', policy: 'preferIPv4' });
    expect(config.limits).toEqual({
      max_in_flight: null,
      keep_credit_share: null,
      stop: { over_ms: 30_000, min_calls: 20, share_429: null, share_5xx: 0.5 },
    });
    const [first, second] = config.traffic;
    expect(first).toMatchObject({ process: 'poisson', burstiness: 1, concurrency: null, max_in_flight: 50 });
    expect(first?.text?.prompts).toEqual({ file: join(dir, 'texts/p.txt'), order: 'in_turn' });
    expect(second).toMatchObject({ process: 'even', concurrency: 80, max_in_flight: 80, millirate: 0 });
    expect(second?.text).toMatchObject({ session: { turns: 3, think_ms: 0 }, watermark_modulus: 64 });
    expect(config.origins).toMatchObject({
      warm_up: 'file',
      cool_down: 'default',
      'retry.max_attempts': 'file',
      'retry.factor': 'default',
      'http.dns.ttl': 'file',
      'limits.stop': 'file',
      'traffic[0].arrival': 'file',
      'traffic[1].max_in_flight': 'default',
    });
  });

  it.each([
    ['version: 1\nwarm_up: 40s\ncool_down: 20s', {}, '2:10 warm_up'],
    ['version: 1\nwarm_up: 20s\nduration: 5m', { duration: '20s' }, '2:10 warm_up'],
    ['version: 1\nseed: 1\ncool_down: 60s', {}, '3:12 cool_down'],
  ])('leaves something to measure between warm-up and cool-down: %j', (text, flags, place) => {
    expect(() => load(text, { flags })).toThrow(
      new RegExp(`:${place}: warm_up and cool_down, together .*, must be shorter than`),
    );
  });

  it.each([
    ['{ kind: image, measure: ttft_ms', '', '3:27', 'a call of image is no stream of text', 'bound e2e_ms'],
    ['{ scenario: video, measure: tpot_ms', '', '3:31', 'a call of video is no stream', 'bound e2e_ms'],
    [
      '{ scenario: plain, measure: ttft_ms',
      'traffic: [{ kind: chat, name: plain, rate: 1/s, stream: 0 }]',
      '3:31',
      'no call of plain streams, as its stream is 0',
      'give it a stream above 0',
    ],
    [
      '{ kind: image, measure: ttft_ms',
      'trace: { file: day.csv }',
      '3:27',
      'a call of image is no stream of text',
      'bound e2e_ms',
    ],
  ])('refuses an objective that can never be measured: %s %s', (entry, more, place, rule, hint) => {
    const text = `version: 1\nobjectives:\n- ${entry}, percentile: 95, max: 9 }\n${more}`;
    const refused = `:${place} objectives[0].measure: can never be measured: ${rule}`;
    expect(() => load(text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(refused) }),
    );
    expect(() => load(text)).toThrow(hint);
  });

  it('takes an objective on a stream, and one on the whole time of a call that is none', () => {
    const traffic = 'traffic: [{ kind: chat, rate: 1/s, stream: 0.1 }, { kind: image, rate: 1/s }]';
    const objectives =
      'objectives: [{kind: chat, measure: ttft_ms, percentile: 95, max: 9}, {kind: image, measure: e2e_ms, percentile: 95, max: 9}]';
    expect(load(`version: 1\n${traffic}\n${objectives}`).objectives).toHaveLength(2);
  });

  it('takes its scenarios from a trace in place of the default traffic', () => {
    const config = load(
      'version: 1\ntrace: { file: ../day.csv, speed: 2, max_in_flight: 9 }\nobjectives: [{scenario: chat, measure: error_share, max: 0}]',
    );
    expect(config.traffic).toEqual([]);
    expect(config.default_traffic).toBe(false);
    expect(config.trace).toEqual({
      file: join(dir, '../day.csv'),
      columns: {},
      body: {},
      speed: 2,
      kind: null,
      model: null,
      max_in_flight: 9,
      text: { stream_share: 0.5, prompt_tokens: 200, max_tokens: 128 },
    });
  });

  it('refuses an objective on traffic that is not there', () => {
    const text = 'version: 1\nobjectives: [{scenario: chta, measure: e2e_ms, percentile: 50, max: 1}]';
    expect(() => load(text)).toThrow(
      'objectives[0]: must name a scenario or kind of the traffic: chat, responses',
    );
  });
});

describe('the default plan', () => {
  const config = loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags: {} });

  it('names neither target nor model, has no objective on time, and is all default', () => {
    expect(config.target.bases).toBeNull();
    expect(config.traffic.map(({ model }) => model)).toEqual(config.traffic.map(() => null));
    expect(config.objectives).toEqual([]);
    expect(config.default_traffic).toBe(true);
    expect(new Set(Object.values(config.origins))).toEqual(new Set(['default']));
  });

  it('says what the defaults say', () => {
    const bare = load('version: 1');
    expect({ ...config, file: '' }).toEqual({ ...bare, file: '' });
  });

  it('covers every kind once', () => {
    expect(config.traffic.map(({ kind }) => kind)).toEqual([
      'chat',
      'responses',
      'messages',
      'image',
      'image_edit',
      'image_job',
      'image_edit_job',
      'video',
    ]);
  });
});

describe('the headers of the target', () => {
  it('have their paths from the file, and a flag goes over them', () => {
    const text =
      'version: 1\ntarget: { url: "http://127.0.0.1:1", headers: { X-Key: "file:k", X-Tenant: a } }';
    const plain = load(text);
    expect(plain.target.headers).toEqual({ 'x-key': `file:${join(dir, 'k')}`, 'x-tenant': 'a' });
    const config = load(text, { flags: { header: ['x-tenant: b', 'x-key: file:k2'] } });
    expect(config.target.headers).toEqual({ 'x-key': `file:${resolve('k2')}`, 'x-tenant': 'b' });
    expect(config.origins['target.headers']).toBe('flag');
    expect(load('version: 1').target.headers).toEqual({});
  });
});

describe('what the user adds to requests', () => {
  const text = `version: 1
traffic:
  - { kind: chat, rate: 1/s, body: { temperature: 1, a: { b: 1 } } }
  - { kind: image, rate: 1/s }`;

  it('is that of the file, and --extra goes over it in all scenarios of text', () => {
    const config = load(text, { flags: { extra: ['a.c=2', 'temperature=0'] } });
    expect(config.traffic.map(({ body }) => body)).toEqual([{ temperature: 0, a: { b: 1, c: 2 } }, {}]);
    expect(config.origins).toMatchObject({ 'traffic[0].body': 'flag', 'traffic[1].body': 'default' });
    expect(load(text).traffic[0]?.body).toEqual({ temperature: 1, a: { b: 1 } });
  });

  it('goes to images where there is no text', () => {
    const config = load('version: 1\ntraffic: [{ kind: image, rate: 1/s }]', {
      flags: { extra: ['seed=4'] },
    });
    expect(config.traffic[0]?.body).toEqual({ seed: 4 });
  });

  it('goes to the calls of a trace', () => {
    const trace = 'version: 1\ntrace: { file: x.csv, body: { top_k: 1 } }';
    expect(load(trace, { flags: { extra: ['top_p=1'] } }).trace?.body).toEqual({ top_k: 1, top_p: 1 });
    expect(() => load(trace, { flags: { extra: ['model=x'] } })).toThrow('--extra model: is set by model');
  });
});
