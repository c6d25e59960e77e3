import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { writeCredentials } from '../../src/gateway/data/saved-credentials.ts';
import { type RunningGateway, startGateway } from '../../src/gateway/start-gateway.ts';
import { EchoingFront } from '../support/echoing-front.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { listFiles, ROOT, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const KEY = 'sk-test-0123456789abcdef';
const TOKEN = 'token.0123456789/abcdefgh';

const corpus = z.array(z.object({ name: z.string(), text: z.string() }));
/** Both credentials in every form of the corpus. */
const FORMS = corpus
  .parse(JSON.parse(readFileSync(join(ROOT, 'test/corpus/secrets/masked.json'), 'utf8')))
  .filter(({ name }) => name.endsWith(`: ${KEY}`) || name.endsWith(`: ${TOKEN}`))
  .map(({ text }) => text.replace(/^a | b$/g, ''));

async function gateway(): Promise<RunningGateway> {
  const dataDir = scratchDir();
  writeCredentials(dataDir, { api_key: KEY, access_token: TOKEN, link_secret: '0'.repeat(64) });
  const running = await startGateway({ port: 0, seed: 4, latency: 'fast', dataDir });
  onTestFinished(() => running.close());
  return running;
}

/** Of what a secret is known by, what can be read out of a text; by another way than the one under test. */
function leaksIn(text: string): readonly string[] {
  const readings = [text];
  for (let layer = text; readings.length < 8; readings.push(layer)) {
    layer = layer
      .replaceAll(/\\+(?:u00|x)([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/\\+u\{([\da-f]+)\}/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/&#x([\da-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replaceAll(
        /&(amp|lowbar|period|sol);/g,
        (_, name) => ({ amp: '&', lowbar: '_', period: '.' })[String(name)] ?? '/',
      )
      .replaceAll('\\', '');
  }
  const traces = ['test-0123456789abcdef', TOKEN].flatMap((core) => {
    const bytes = Buffer.from(core);
    const shifted = [0, 1, 2].map((offset) =>
      Buffer.concat([Buffer.alloc(offset), bytes])
        .toString('base64')
        .slice(4, -4),
    );
    return [core, bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...shifted];
  });
  return traces.filter((trace) =>
    readings.some(
      (reading) =>
        reading.includes(trace) || reading.replaceAll('-', '+').replaceAll('_', '/').includes(trace),
    ),
  );
}

test('the search of this test finds every form', () => {
  expect(FORMS.length).toBeGreaterThan(150);
  expect(FORMS.filter((form) => leaksIn(JSON.stringify({ form })).length === 0)).toEqual([]);
});

test('a target that repeats both credentials in every form and every text leaves none of them in any output', async () => {
  const out = scratchDir();
  const state = join(out, 'state');
  const { ready } = await gateway();
  const target = await EchoingFront.start(ready.base_url, FORMS);
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1
duration: 4s
keep_text: true
http: { debug: full }
settle: { wait: 3s, poll: 1s }
traffic:
  - { kind: chat, rate: 6/s, stream: 0.5 }
  - { kind: responses, rate: 3/s }
  - { kind: messages, rate: 2/s }
  - { kind: image_job, rate: 1/s }
  - { kind: video, rate: 1/s }
probe:
  targets:
    - name: main
      url: ${target}
      key: env:WEIGHBRIDGE_API_KEY
      access_token: env:WEIGHBRIDGE_ACCESS_TOKEN
      user_id: env:WEIGHBRIDGE_USER_ID
      budget: { usd_per_hour: "50", usd_per_day: "500" }
      concurrency: 32
      text: { models: [elm/elm-8b-instruct], every: 10s, max_tokens: 8 }
      images: { models: [lumen-image-mini], kinds: [image, image_job], every: 10s }
      videos: { models: ["quartz-lite:i2v"], every: 10s }
      free: { models: 5s, pricebook: 5s, usage: 5s, usage_requests: 5s, account: 5s }
      negative: { rules: [no_key, wrong_key_kind, unknown_model, missing_user_header], every: 10s }
`,
  );
  const env = {
    WEIGHBRIDGE_API_KEY: KEY,
    WEIGHBRIDGE_ACCESS_TOKEN: TOKEN,
    WEIGHBRIDGE_USER_ID: String(ready.user_id),
  };
  const outputs: [string, string][] = [];
  const run = async (...args: readonly string[]) => {
    const own = args[0] === 'report' ? [] : ['--config', config];
    const finished = await runWeighbridge([...args, ...own], { env });
    outputs.push([`${args[0]} stdout`, finished.stdout], [`${args[0]} stderr`, finished.stderr]);
    return finished;
  };
  const audit = await run(
    'audit',
    '--target',
    target,
    '--max-spend-usd',
    '50',
    '--out',
    out,
    '--state',
    state,
    '--json',
  );
  const { run_id, dir } = verdictOf(audit);
  const places = ['--out', out, '--run', run_id] as const;
  await run('reconcile', ...places, '--state', state);
  const report = await run('report', ...places, '--format', 'junit,focus,rows.ndjson,metrics.prom');
  expect(report.stderr).not.toContain('error:');
  await run('report', ...places, '--state', state, '--bundle', join(out, 'claim.zip'));
  await run('doctor', '--target', target);
  await run('pull', '--target', target, '--state', state);
  const daemon = new ProbeProcess(['--config', config, '--listen', '127.0.0.1:0', '--state', state], env);
  const url = await daemon.url();
  const apis = ['chat', 'models', 'pricebook', 'usage', 'usage_requests', 'account', 'video', 'negative'];
  await Promise.all(apis.map((api) => daemon.until((line) => line.api === api && line.msg === 'run')));
  for (const path of ['/', '/api/status', '/metrics', '/config'])
    outputs.push([path, await (await fetch(url + path)).text()]);
  await daemon.end('SIGTERM');
  outputs.push(['daemon', daemon.output]);
  const files = listFiles(out).filter((file) => file !== config);
  for (const file of files) outputs.push([file, readFileSync(file, 'utf8')]);
  const masked = outputs
    .filter(([, text]) => /\[key\]|\[credential\]/.test(text))
    .map(([name]) => name.replace(`${dir}/`, ''));
  const told = (name: string) => outputs.find(([file]) => file.endsWith(name))?.[1];
  expect(told('usage/pages.ndjson')).toContain('credential_masked: ');
  expect(told('archive/index.ndjson')).toContain('"masked":true');
  expect(masked).toEqual(
    expect.arrayContaining([
      'run.log',
      'calls/i0-0.texts',
      'usage/records.ndjson',
      'usage/pages.ndjson',
      'daemon',
      '/api/status',
    ]),
  );
  expect(outputs.flatMap(([name, text]) => leaksIn(text).map((leak) => `${name}: ${leak}`))).toEqual([]);
});

test('of a period of two keys, nothing that one of them read is kept with the other in it', async () => {
  const out = scratchDir();
  const { ready } = await gateway();
  const { control_url, control_token, user_id } = ready;
  const made = await fetch(`${control_url}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id }),
  });
  const keys = [KEY, z.object({ api_key: z.string() }).parse(await made.json()).api_key];
  const target = await EchoingFront.start(ready.base_url, keys);
  const files = keys.map((key, index) => {
    const file = join(out, `key-${index}`);
    writeFileSync(file, key);
    return file;
  });
  for (const key of keys)
    await fetch(`${target}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'elm/elm-8b-instruct', messages: [{ role: 'user', content: 'hi' }] }),
    });
  const [from, to] = [-3_600_000, 3_600_000].map(
    (ms) => `${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`,
  );
  const period = ['--from', from ?? '', '--to', to ?? '', '--key-file', ...files];
  const read = await runWeighbridge([
    'reconcile',
    '--target',
    target,
    ...period,
    '--out',
    out,
    '--state',
    join(out, 'state'),
  ]);
  expect(read.stderr).toContain('records of key');
  const records = listFiles(out).filter((file) => /usage|books|state/.test(file));
  expect(records.length).toBeGreaterThan(3);
  for (const file of records)
    for (const key of keys) expect(readFileSync(file, 'utf8'), file).not.toContain(key.slice(3));
});
