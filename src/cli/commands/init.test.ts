import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type RunningGateway, startGateway } from '../../gateway/start-gateway.ts';
import { bookDocument } from '../../reconcile/reconcile.test-support.ts';
import { runProgram } from '../program.ts';

let gateway: RunningGateway;
let dir = '';

beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
});
afterAll(() => gateway.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-init-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function weighbridge(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const status = await runProgram(args, {
    out: (line) => stdout.push(line),
    err: (line) => stderr.push(line),
    ...UNWATCHED,
    width: 100,
    env: env ?? { WEIGHBRIDGE_API_KEY: gateway.ready.api_key },
  });
  return { status, stdout, stderr };
}

const file = () => join(dir, 'weighbridge.yaml');
const init = (...more: readonly string[]) =>
  weighbridge(['init', '--target', gateway.ready.base_url, '--out', file(), ...more]);

describe('the file that is written for a gateway', () => {
  test('names the gateway and the cheapest listed model of each kind, with its prices', async () => {
    const done = await init();
    expect(done).toMatchObject({ status: 0, stderr: [] });
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain(`url: "${gateway.ready.base_url}"`);
    expect(text).toContain(
      'model: "elm/elm-8b-instruct" # the cheapest listed text model, USD: input_token 0.018, output_token 0.05 per 1000000',
    );
    expect(text).toContain(
      '  #   model: "lumen-image-mini" # the cheapest listed image model, USD: image 0.011 per 1',
    );
    expect(text).not.toContain(gateway.ready.api_key);
  });

  test('holds, and a plan of it has no note, a small rate and no image or video', async () => {
    await init();
    const config = loadConfig({ file: file(), env: {}, flags: {} });
    expect(config.traffic.map(({ kind }) => kind)).toEqual(['chat', 'responses', 'messages']);
    expect(config.traffic.reduce((sum, { millirate }) => sum + millirate, 0)).toBe(900);
    expect(config.traffic.reduce((sum, entry) => sum + entry.max_in_flight, 0)).toBeLessThanOrEqual(5);
    const plan = await weighbridge(['plan', '--config', file()]);
    expect(plan.status).toBe(0);
    expect(plan.stdout.filter((line) => /^(note|warning):|stopped/.test(line))).toEqual([]);
  });

  test('holds with everything that is commented out taken in, too', async () => {
    await init();
    const whole = readFileSync(file(), 'utf8')
      .replace(/^( *)# (spend:|permission:|objectives:|- kind:| {2}- )/gm, '$1$2')
      .replace(/^ {2}# {3}(?=\S)/gm, '    ');
    writeFileSync(file(), whole);
    const plan = await weighbridge(['plan', '--config', file()]);
    expect(plan.stderr).toEqual([]);
    const text = plan.stdout.join('\n');
    expect(text).toMatch(/^image +3 {2}/m);
    expect(text).toMatch(/^video +1 {2}/m);
    expect(text).toMatch(/^cap \$1$/m);
    expect(text).toMatch(/^objective: chat/m);
  });

  test('comes with the forecast of the plan, which nothing was paid for', async () => {
    const done = await init();
    const plan = await weighbridge(['plan', '--config', file()]);
    const money = (lines: readonly string[]) => lines.filter((line) => /^(chat|total)/.test(line));
    expect(money(done.stdout)).toHaveLength(2);
    expect(money(done.stdout)).toEqual(money(plan.stdout));
    expect(done.stdout.at(-1)).toContain(`wrote ${file()}; next: weighbridge plan`);
    const now = Math.floor(Date.now() / 1_000);
    const rows = await fetch(
      `${gateway.ready.base_url}/v1/usage/requests?${new URLSearchParams({ start_time: String(now - 600), end_time: String(now + 60) })}`,
      {
        headers: { authorization: `Bearer ${gateway.ready.api_key}` },
      },
    );
    expect(await rows.text()).toContain('"data":[]');
  });

  test('comes as JSON for programs', async () => {
    const done = await init('--json');
    const [line = ''] = done.stdout;
    expect(JSON.parse(line)).toMatchObject({
      file: file(),
      target: gateway.ready.base_url,
      notes: [],
      chosen: [{ scenario: 'chat' }, { scenario: 'responses' }, { scenario: 'messages' }],
    });
  });
});

test('a file that is there is never overwritten, but with --force', async () => {
  writeFileSync(file(), 'mine');
  const refused = await init();
  expect(refused.status).toBe(2);
  expect(refused.stderr.join('\n')).toContain('config_exists');
  expect(readFileSync(file(), 'utf8')).toBe('mine');
  expect((await init('--force')).status).toBe(0);
  expect(readFileSync(file(), 'utf8')).toContain('traffic:');
});

test('beside a configuration that is there, as in a clone, the new file has the name of the gateway', async () => {
  writeFileSync(file(), 'version: 1\n');
  const bin = fileURLToPath(new URL('../../../bin/weighbridge.mjs', import.meta.url));
  const env = { ...process.env, WEIGHBRIDGE_API_KEY: gateway.ready.api_key };
  const args = [bin, 'init', '--target', gateway.ready.base_url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: dir, env });
  expect(stdout).toContain('next: weighbridge plan --config weighbridge-127.0.0.1.yaml');
  expect(readFileSync(file(), 'utf8')).toBe('version: 1\n');
  expect(readFileSync(join(dir, 'weighbridge-127.0.0.1.yaml'), 'utf8')).toContain('traffic:');
});

test('without a key, a gateway or a folder nothing is written, and the error says what to do', async () => {
  const args = ['init', '--target', gateway.ready.base_url, '--out', file()];
  expect(await weighbridge(args, {})).toMatchObject({ status: 2 });
  expect(await weighbridge(args, { WEIGHBRIDGE_API_KEY: 'sk-wrong' })).toMatchObject({ status: 3 });
  const away = ['init', '--target', 'http://127.0.0.1:1', '--out', file()];
  expect(await weighbridge(away)).toMatchObject({ status: 3 });
  expect(existsSync(file())).toBe(false);
  const nowhere = await init('--out', join(dir, 'no/such/file.yaml'));
  expect(nowhere).toMatchObject({ status: 2 });
  expect(nowhere.stderr.join('\n')).toContain('config_not_written');
});

test('a gateway whose book cannot be read gets a file that names no model, and says so', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const model = { id: 'm', object: 'model', created: 1, owned_by: 'x' };
    response.end(
      request.url === '/v1/models' ? JSON.stringify({ object: 'list', data: [model] }) : '{"odd":1}',
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const done = await weighbridge(['init', '--target', `http://127.0.0.1:${port}`, '--out', file()]);
    expect(done.status).toBe(0);
    expect(done.stderr.join('\n')).toMatch(/^price book: /);
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain('which could not be read');
    expect(text).toContain('# model: ID # no text model is both listed and priced');
    expect(loadConfig({ file: file(), env: {}, flags: {} }).traffic).toHaveLength(3);
  } finally {
    server.close();
  }
});

describe('a price list of the user', () => {
  const mapping = () => join(dir, 'list.mapping.yaml');
  const listed = (value: unknown): string => {
    const list = join(dir, 'list.json');
    writeFileSync(list, JSON.stringify(value));
    return list;
  };
  const preview = (book: string) => weighbridge(['pricebook', 'preview', book, '--mapping', mapping()]);

  test('is shown, and the configuration names it and the mapping that reads it', async () => {
    const list = listed({ models: [{ id: 'm', input: 0.15, output: 12.5, fee: { odd: 3 } }] });
    const done = await init('--pricebook', list);
    expect(done.status).toBe(0);
    expect(done.stdout.join('\n')).toMatch(/^m +text +input_token +0\.15 +1000000$/m);
    expect(done.stderr.join('\n')).toContain('models[].fee.odd: holds a figure that no rule reads');
    const { book } = loadConfig({ file: file(), env: {}, flags: {} }).billing;
    expect(book).toMatchObject({ file: list, mapping: mapping() });
    const text = readFileSync(mapping(), 'utf8');
    expect(text).toMatch(/^tokens_per: 1000000$/m);
    expect(text).toContain('# - models[].fee.odd: holds a figure that no rule reads');
    const shown = await preview(list);
    expect(shown.status).toBe(7);
    expect(shown.stdout.join('\n')).toMatch(/^m +text +output_token +12\.5 +1000000$/m);
  });

  test('whose unit is not certain leaves it to be filled in, and nothing is guessed', async () => {
    const list = listed({ models: [{ id: 'm', input: 0.15 }] });
    expect(await init('--pricebook', list)).toMatchObject({ status: 0 });
    const text = readFileSync(mapping(), 'utf8');
    expect(text).toContain('# - m: models[].input 0.15: the unit is not certain');
    expect(await preview(list)).toMatchObject({ status: 2 });
    writeFileSync(mapping(), text.replace('# tokens_per', 'tokens_per'));
    const filled = await preview(list);
    expect(filled.status).toBe(0);
    expect(filled.stdout.join('\n')).toMatch(/^m +text +input_token +0\.15 +1000$/m);
  });

  test('whose layout a reader knows needs no mapping; one that is there stays', async () => {
    const list = join(dir, 'list.csv');
    writeFileSync(list, 'model,input,output\nm,1,2\n');
    expect(await init('--pricebook', list)).toMatchObject({ status: 0 });
    expect(existsSync(mapping())).toBe(false);
    expect(loadConfig({ file: file(), env: {}, flags: {} }).billing.book).toMatchObject({
      file: list,
      mapping: null,
    });
    rmSync(file());
    writeFileSync(mapping(), 'mine');
    const refused = await init('--pricebook', listed({ models: [{ id: 'm', input: 0.15, output: 12.5 }] }));
    expect(refused.status).toBe(2);
    expect(readFileSync(mapping(), 'utf8')).toBe('mine');
    const none = await init('--pricebook', join(dir, 'none.json'));
    expect(none.stderr.join('\n')).toContain('book_missing');
  });

  test('whose mapping cannot be written says where, why and what to do', async () => {
    const list = listed({ models: [{ id: 'm', input: 0.15, output: 12.5 }] });
    const away = join(dir, 'not-there', 'weighbridge.yaml');
    const { status, stderr } = await weighbridge(['init', '--pricebook', list, '--out', away]);
    expect(status).toBe(2);
    expect(stderr.join('\n')).toMatch(
      /not-there\/list\.mapping\.yaml could not be written: ENOENT.*\n +why: .*\n +fix: Give --out an existing folder.*\n +code: mapping_not_written \(/m,
    );
    expect(existsSync(away)).toBe(false);
  });
});

test('a model that no configuration can name is not chosen, however cheap', async () => {
  const cheap = ['two\nlines: 1', 'x'.repeat(192)];
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        request.url === '/v1/models'
          ? { object: 'list', data: [...cheap, 'text-1'].map((id) => ({ id })) }
          : bookDocument({ models: [...cheap.map((id) => priced(id, '1')), priced('text-1', '2')] }),
      ),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const done = await weighbridge(['init', '--target', `http://127.0.0.1:${port}`, '--out', file()]);
  expect(done).toMatchObject({ status: 0, stderr: [] });
  expect(readFileSync(file(), 'utf8')).toContain('model: "text-1"');
});

function priced(id: string, price: string) {
  return { id, kind: 'text', unit: 'per_1m_tokens', input: price, output: price, max_output_tokens: 4000 };
}
