import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProbePlan } from '../contracts/probe-plan.ts';
import { loadProbePlan, type ProbeRequest, watchesEmbedded } from './load-probe.ts';
import { parseTarget } from './target-bases.ts';

function requestOf(text: string, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const dir = mkdtempSync(join(tmpdir(), 'wb-probe-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'conf'));
  const file = join(dir, 'conf/weighbridge.yaml');
  writeFileSync(file, `version: 1\n${text}`);
  return { file, cwd: dir, env: {}, flags: {}, embedded: null, budget: 'needed', ...more };
}

function load(text: string, more: Partial<ProbeRequest> = {}): ProbePlan {
  return loadProbePlan(requestOf(text, more));
}

/** Name, api, model, interval in seconds. */
function shown(plan: ProbePlan, index = 0) {
  return plan.targets[index]?.probes.map(({ name, model, interval_ms: ms }) => [name, model, ms / 1_000]);
}

const MAIN = 'probe: {targets: [{name: main, url: "https://host/v1", key: env:WEIGHBRIDGE_API_KEY}]}';
const BUDGET = 'budget: { usd_per_hour: "0.10", usd_per_day: "1.5", usd_per_month: "20" }';
const FREE = [
  ['models', null, 60],
  ['pricebook', null, 300],
  ['usage', null, 300],
  ['usage_requests', null, 300],
];

test('a target with a key alone gets the free probes, and no request with a bad key', () => {
  const plan = load(MAIN);
  expect(shown(plan)).toEqual(FREE);
  expect(plan.targets[0]).toMatchObject({
    name: 'main',
    bases: { root: 'https://host', v1: 'https://host/v1', api: 'https://host/api' },
    loopback: false,
    key: 'env:WEIGHBRIDGE_API_KEY',
    access_token: null,
    user_id: null,
    budget: null,
    assumed_run_usd: null,
    concurrency: 4,
    watched_models: [],
  });
  expect(plan).toMatchObject({
    listen: { host: '127.0.0.1', port: 9464, tls: null, auth: null },
    series_limit: 2_000,
    reconcile_ms: 300_000,
    drain_ms: 30_000,
  });
});

test('headers go with every request of the gateway that names them, and with no other', () => {
  const text = `target: { url: "https://h", headers: { X-Tenant: blue, X-Auth: "file:auth" } }`;
  const config = requestOf(text);
  expect(loadProbePlan(config).targets[0]?.headers).toEqual({
    'x-tenant': 'blue',
    'x-auth': `file:${join(config.cwd ?? '', 'conf/auth')}`,
  });
  expect(load(text, { flags: { target: 'https://other' } }).targets[0]?.headers).toEqual({});
  const listed =
    'probe: {targets: [{name: a, url: "https://a", headers: {X-A: "1"}}, {name: b, url: "https://b"}]}';
  expect(load(listed).targets.map(({ headers }) => headers)).toEqual([{ 'x-a': '1' }, {}]);
});

test('a dialect is that of the gateway that names it, and of no other', () => {
  const text = 'target: { url: "https://h", dialect: litellm }';
  expect(load(text).targets[0]?.dialect).toBe('litellm');
  expect(load(text, { flags: { target: 'https://other' } }).targets[0]?.dialect).toBe('auto');
  const listed =
    'probe: {targets: [{name: a, url: "https://a", dialect: new-api}, {name: b, url: "https://b"}]}';
  expect(load(listed).targets.map(({ dialect }) => dialect)).toEqual(['new-api', 'auto']);
});

test('credentials decide which free probes there are, and each can be turned off', () => {
  const keyless = load('probe: {targets: [{name: main, url: "https://host", free: {models: 5s}}]}');
  expect(shown(keyless)).toEqual([
    ['models', null, 5],
    ['pricebook', null, 300],
  ]);
  const account = load(
    'probe: {targets: [{name: main, url: "https://host", access_token: file:t, user_id: env:UID, free: {models: off, pricebook: off}}]}',
  );
  expect(shown(account)).toEqual([['account', null, 300]]);
});

test('text is asked of every model in every format, streamed and plain', () => {
  const plan = load(`probe:
  ${BUDGET}
  targets:
    - name: main
      url: https://host
      key: env:K
      free: { models: off, pricebook: off, usage: off, usage_requests: off }
      text: { models: [a/b, a_b], formats: [chat, messages], every: 10s, max_tokens: 7, cached: true }
      images: { models: [i], kinds: [image, image_edit_job], task_timeout: 2m }
      videos: { models: [v], seconds: 8 }
      probes: [{ name: mine, api: responses, model: c, stream: true }, { api: chat, model: c }]
      watch_models: [z, v]
`);
  expect(shown(plan)).toEqual([
    ['chat-a_b', 'a/b', 10],
    ['chat-stream-a_b', 'a/b', 10],
    ['messages-a_b', 'a/b', 10],
    ['messages-stream-a_b', 'a/b', 10],
    ['chat-a_b-2', 'a_b', 10],
    ['chat-stream-a_b-2', 'a_b', 10],
    ['messages-a_b-2', 'a_b', 10],
    ['messages-stream-a_b-2', 'a_b', 10],
    ['image-i', 'i', 3_600],
    ['image_edit_job-i', 'i', 3_600],
    ['video-v', 'v', 21_600],
    ['mine', 'c', 300],
    ['chat-c', 'c', 300],
  ]);
  const [target] = plan.targets;
  expect(target?.budget).toEqual({
    hour: 100_000_000_000n,
    day: 1_500_000_000_000n,
    month: 20_000_000_000_000n,
  });
  expect(target?.watched_models).toEqual(['a/b', 'a_b', 'i', 'v', 'c', 'z']);
  expect(target?.probes[1]).toMatchObject({
    stream: true,
    max_tokens: 7,
    cached: true,
    timeout_ms: 60_000,
    task_timeout_ms: null,
    size: null,
  });
  expect(target?.probes.map(({ cached = false }) => cached).lastIndexOf(true)).toBe(7);
  expect(target?.probes[8]).toMatchObject({ size: '1024x1024', quality: 'medium', task_timeout_ms: null });
  expect(target?.probes[9]).toMatchObject({ task_timeout_ms: 120_000, max_tokens: null });
  expect(target?.probes[10]).toMatchObject({ seconds: 8, size: '1280x720', task_timeout_ms: 1_800_000 });
});

test('a key of a target goes before that of the section, as a whole', () => {
  const plan = load(`probe:
  ${BUDGET}
  text: { models: [a], formats: [chat], stream: false, every: 30s }
  free: { pricebook: off, usage: off, usage_requests: off }
  targets:
    - { name: one, url: https://one, key: env:ONE }
    - { name: two, url: https://two, key: env:TWO, text: { models: [b], formats: [chat], stream: true }, free: {} }
`);
  expect(shown(plan, 0)).toEqual([
    ['models', null, 60],
    ['chat-a', 'a', 30],
  ]);
  expect(shown(plan, 1)).toEqual([...FREE, ['chat-stream-b', 'b', 300]]);
  expect(plan.targets.map(({ budget }) => budget?.hour)).toEqual([100_000_000_000n, 100_000_000_000n]);
});

test('requests that must be refused are made by default on loopback alone', () => {
  const local = load('probe: {targets: [{name: l, url: "http://[::1]:1", key: env:K, free: {models: off}}]}');
  expect(local.targets[0]?.loopback).toBe(true);
  const rules = local.targets[0]?.probes.flatMap(({ negative, interval_ms }) =>
    negative === null ? [] : [[negative, interval_ms]],
  );
  expect(rules).toEqual([
    ['no_key', 3_600_000],
    ['wrong_key_kind', 3_600_000],
    ['unknown_model', 3_600_000],
  ]);
  const off = load('probe: {negative: {rules: []}, targets: [{name: l, url: "http://[::1]:1", key: env:K}]}');
  expect(shown(off)).toEqual(FREE);
  const remote = load(
    'probe: {negative: {rules: [no_key], every: 2h}, targets: [{name: r, url: "https://host", key: env:K}]}',
  );
  expect(shown(remote)).toEqual([...FREE, ['negative-no_key', null, 7_200]]);
  const often = load(
    'probe: {negative: {rules: [no_key], every: 10s}, targets: [{name: l, url: "http://127.0.0.1"}]}',
  );
  expect(shown(often)?.at(-1)).toEqual(['negative-no_key', null, 10]);
});

test('without targets that of the file is watched, with the credentials of the environment', () => {
  const text = `target: { url: "http://localhost:8787/base/v1" }\nprobe: { ${BUDGET}, text: { models: [m], formats: [chat], stream: false } }`;
  const plan = load(text, { env: { WEIGHBRIDGE_API_KEY_FILE: 'key.txt', WEIGHBRIDGE_USER_ID: '1' } });
  expect(plan.targets[0]).toMatchObject({ name: 'localhost_8787_base', access_token: null });
  expect(plan.targets[0]?.key).toMatch(/^file:\/.*\/wb-probe-[^/]+\/key\.txt$/);
  expect(load(text).targets[0]?.key).toBe('env:WEIGHBRIDGE_API_KEY');
  expect(load('target: { url: "https://h", name: "Ours: #1" }').targets[0]).toMatchObject({
    name: 'Ours_1',
    key: null,
  });
});

test('a target of a flag is watched alone', () => {
  const env = { WEIGHBRIDGE_API_KEY: 'x' };
  const plan = load(MAIN, { env, flags: { target: 'https://other/api', listen: '[::1]:0', state: 'st' } });
  expect(plan.targets.map(({ name, key }) => [name, key])).toEqual([['other', 'env:WEIGHBRIDGE_API_KEY']]);
  expect(plan.listen).toMatchObject({ host: '::1', port: 0 });
  expect(plan.state_dir).toMatch(/\/wb-probe-[^/]+\/st$/);
  const refused = () => load(MAIN, { flags: { target: 'other', listen: 'x' } });
  expect(refused).toThrow(/^--listen: must be an address.*\n--target: must be the address/);
});

test('the embedded gateway is watched where nothing else is named, and costs nothing', () => {
  const reading = parseTarget('http://127.0.0.1:5');
  if (!('bases' in reading)) throw new Error(reading.fault);
  const embedded = {
    bases: reading.bases,
    key: 'env:EMBEDDED_KEY',
    access_token: 'env:EMBEDDED_TOKEN',
    user_id: 'env:EMBEDDED_USER',
    models: { text: 't', image: 'i', video: 'v' },
  };
  const request = requestOf('seed: 2', { embedded });
  expect(watchesEmbedded(request)).toBe(true);
  const [target] = loadProbePlan(request).targets;
  expect(target?.probes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['account', 'chat-stream-t', 'image_edit_job-i', 'video-v', 'negative-no_key']),
  );
  expect(target?.probes.filter(({ negative }) => negative !== null)).toHaveLength(5);
  expect(target?.budget?.hour).toBeGreaterThan(0n);
  // What is configured is asked, and nothing beside it.
  const own = load('probe: { text: { models: [mine], formats: [chat], stream: true } }', { embedded });
  const models = own.targets[0]?.probes.flatMap(({ model }) => model ?? []);
  expect(models).toEqual(['mine']);
  expect(watchesEmbedded(requestOf(MAIN))).toBe(false);
  expect(watchesEmbedded(requestOf('target: { url: "https://h" }'))).toBe(false);
  expect(watchesEmbedded(requestOf('', { env: { WEIGHBRIDGE_TARGET: 'https://h' } }))).toBe(false);
});

test('paths of the section start from its file', () => {
  const plan = load(
    'probe: { listen: ":9", tls: { cert_file: c.pem, key_file: /k.pem }, auth: { user: u, password_file: ../p }, targets: [{ name: m, url: "https://h", key: "file:keys/k" }] }',
  );
  expect(plan.listen).toEqual({
    host: '::',
    port: 9,
    tls: { cert_file: expect.stringMatching(/\/conf\/c\.pem$/), key_file: '/k.pem' },
    auth: { kind: 'basic', user: 'u', password_file: expect.stringMatching(/wb-probe-[^/]+\/p$/) },
  });
  expect(plan.targets[0]?.key).toMatch(/^file:\/.*\/conf\/keys\/k$/);
  const bearer = load('probe: { auth: { token_file: t } }');
  expect(bearer.listen.auth).toMatchObject({ kind: 'bearer' });
});
