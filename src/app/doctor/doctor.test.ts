import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runProgram } from '../../cli/program.ts';
import { systemName } from '../../contracts/engine-list.ts';
import { isPortFree } from '../../gateway/server/port-free.ts';
import { type RunningGateway, startGateway } from '../../gateway/start-gateway.ts';
import { ownerNow } from '../../state/lock-owner.ts';
import { UNWATCHED } from '../notices/unwatched.test-support.ts';
import { examineEngine, hasEngine } from './examine-engine.ts';
import { diskSeen, goSeen, openFilesSeen } from './examine-machine.ts';
import { clockSeen } from './examine-target.ts';

let gateway: RunningGateway;
let dir = '';
let k6 = '';

beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
});
afterAll(() => gateway.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-doctor-'));
  k6 = executable('k6', 'echo "k6 v2.2.0 (go1.26)"; echo "   , k6/x/weighbridge [js]"');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function executable(name: string, script: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const told = z.object({
  examined: z.array(
    z.object({ name: z.string(), state: z.string(), found: z.string(), fix: z.string().nullable() }),
  ),
  exit_codes: z.array(z.number()),
});

/** What `doctor --json` tells, by name; folders are those of the test. */
async function doctor(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const stdout: string[] = [];
  const out = (line: string) => stdout.push(line);
  const folders = ['--out', join(dir, 'reports'), '--state', join(dir, 'state')];
  const status = await runProgram(['doctor', '--json', ...folders, ...args], {
    out,
    err: out,
    ...UNWATCHED,
    width: 100,
    env: { PATH: process.env['PATH'], WEIGHBRIDGE_K6: k6, ...env },
  });
  const { examined, exit_codes } = told.parse(JSON.parse(stdout[0] ?? ''));
  expect(exit_codes).toEqual([status]);
  const of = (name: string) => examined.find((one) => one.name === name);
  return { status, of, text: stdout.join('\n') };
}

const withKey = () => ({ WEIGHBRIDGE_API_KEY: gateway.ready.api_key });
const target = () => ['--target', gateway.ready.base_url];

describe('a target', () => {
  test('that answers, takes the key and serves a book', async () => {
    const { ready } = gateway;
    const account = {
      WEIGHBRIDGE_ACCESS_TOKEN: ready.access_token,
      WEIGHBRIDGE_USER_ID: String(ready.user_id),
    };
    const { status, of, text } = await doctor(target(), { ...withKey(), ...account });
    expect(status).toBe(0);
    expect(of('target')).toMatchObject({ state: 'ok' });
    expect(of('key accepted')?.found).toMatch(
      /^the key may call \d+ models, the access token opens the account$/,
    );
    expect(of('usage records')).toMatchObject({ state: 'ok' });
    expect(of('clock')).toMatchObject({ state: 'ok' });
    expect(of('price book')?.found).toMatch(/^\d+ prices read in full$/);
    expect(of('credentials')).toMatchObject({ state: 'ok', found: 'an API key and an access token' });
    for (const secret of [ready.api_key, ready.access_token]) expect(text).not.toContain(secret);
  });

  test('that refuses the key: exit 3, and the key is not shown', async () => {
    const { status, of, text } = await doctor(target(), { WEIGHBRIDGE_API_KEY: 'sk-not-of-here' });
    expect(status).toBe(3);
    expect(of('key accepted')).toMatchObject({
      state: 'problem',
      fix: expect.stringContaining('WEIGHBRIDGE_API_KEY'),
    });
    expect(text).not.toContain('sk-not-of-here');
  });

  test.each([
    [404, 'HTTP 404'],
    [503, '503'],
  ])('that answers a read of usage with %i is told, with the status', async (answer, told) => {
    const server = createHttpServer((request, response) => {
      const isUsage = request.url?.startsWith('/v1/usage') === true;
      response.writeHead(isUsage ? answer : 200).end('{"object":"list","data":[]}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { of } = await doctor(['--target', `http://127.0.0.1:${portOf(server)}`], withKey());
    expect(of('usage records')).toMatchObject({ state: 'problem', found: expect.stringContaining(told) });
    expect(of('key accepted')).toMatchObject({ state: 'ok' });
  });

  test('that repeats the key in its price book does not make us print it', async () => {
    const key = 'sk-test-0123456789abcdef';
    const book = { [encodeURIComponent(key)]: { litellm_provider: 'x', input_cost_per_token: 'cheap' } };
    const server = createHttpServer((_, response) => response.end(JSON.stringify(book))).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { of, text } = await doctor(['--target', `http://127.0.0.1:${portOf(server)}`], {
      WEIGHBRIDGE_API_KEY: key,
    });
    expect(of('price book')?.found).toContain('[credential].input_cost_per_token');
    expect(text).not.toContain('0123456789abcdef');
  });

  test('that nobody serves: exit 3, and what it would serve is not judged', async () => {
    const { status, of } = await doctor(['--target', 'http://127.0.0.1:1'], withKey());
    expect(status).toBe(3);
    expect(of('target')).toMatchObject({ state: 'problem', found: expect.stringContaining('ECONNREFUSED') });
    expect(of('price book')).toMatchObject({ state: 'not asked', fix: null });
  });

  test('that speaks no TLS at an https address', async () => {
    const { status, of } = await doctor(
      ['--target', gateway.ready.base_url.replace('http:', 'https:')],
      withKey(),
    );
    expect(status).toBe(3);
    expect(of('target')?.found).toContain('no TLS at that port');
  });

  test('without a key: exit 2, and how to give one', async () => {
    const { status, of } = await doctor(target());
    expect(status).toBe(2);
    expect(of('credentials')).toMatchObject({
      state: 'problem',
      fix: expect.stringContaining('WEIGHBRIDGE_API_KEY'),
    });
  });

  test('without any, nothing is asked', async () => {
    const { status, of } = await doctor();
    expect(status).toBe(0);
    expect(of('target')).toBeUndefined();
    expect(of('credentials')).toMatchObject({ state: 'not asked' });
  });
});

test('a configuration that breaks a rule is told with its line, and the rest is looked at all the same', async () => {
  const file = join(dir, 'broken.yaml');
  writeFileSync(file, 'version: 1\ntrafic: []\n');
  const { status, of } = await doctor(['--config', file]);
  expect(status).toBe(2);
  expect(of('configuration')?.found).toContain('broken.yaml:2:1');
  expect(of('configuration')?.found).toContain('traffic');
  expect(of('disk')).toBeDefined();
});

test('a key file that others can read is told, with the command that closes it', async () => {
  const file = join(dir, 'key.txt');
  writeFileSync(file, gateway.ready.api_key, { mode: 0o644 });
  const { of } = await doctor(target(), { WEIGHBRIDGE_API_KEY_FILE: file });
  expect(of('credentials')).toMatchObject({ state: 'warning', fix: `chmod 600 ${file}` });
  chmodSync(file, 0o600);
  expect((await doctor(target(), { WEIGHBRIDGE_API_KEY_FILE: file })).of('credentials')?.state).toBe('ok');
});

describe('folders', () => {
  test('that are missing are made by --fix', async () => {
    expect((await doctor()).of('state')).toMatchObject({ state: 'warning', fix: 'weighbridge doctor --fix' });
    expect(existsSync(join(dir, 'state'))).toBe(false);
    const { of } = await doctor(['--fix']);
    expect(of('state')).toMatchObject({ state: 'mended', fix: null });
    expect(of('run folders')).toMatchObject({ state: 'mended', fix: null });
    expect(existsSync(join(dir, 'state'))).toBe(true);
  });

  test('that are files are told, and left alone', async () => {
    writeFileSync(join(dir, 'state'), 'mine');
    const { status, of } = await doctor(['--fix']);
    expect(status).toBe(2);
    expect(of('state')).toMatchObject({ state: 'problem' });
  });

  test('of a target that another command holds: by whom', async () => {
    mkdirSync(join(dir, 'state/host'), { recursive: true });
    const lock = join(dir, 'state/host/lock');
    writeFileSync(lock, JSON.stringify(ownerNow('1', 'weighbridge run')));
    expect((await doctor()).of('locks')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining(`weighbridge run (process ${process.pid} on`),
    });
    writeFileSync(lock, JSON.stringify({ ...ownerNow('1', 'weighbridge run'), started: 'another boot' }));
    expect((await doctor()).of('locks')).toMatchObject({ state: 'ok' });
  });
});

describe('k6', () => {
  test('is told as ours, as one without our extension, as one that does not run, and as none', async () => {
    const state = async (path: string) => (await doctor([], { WEIGHBRIDGE_K6: path })).of('k6');
    expect(await state(k6)).toMatchObject({ state: 'ok', found: expect.stringContaining('k6 v2.2.0') });
    expect(await state(executable('stock', 'echo "k6 v2.2.0"'))).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('without our extension'),
    });
    expect(await state(executable('dead', 'exit 3'))).toMatchObject({ state: 'problem' });
    expect(await state('/nowhere/k6')).toMatchObject({ found: 'WEIGHBRIDGE_K6 names no file' });
  });

  test('is built where there is none, and built anew where its sources changed', async () => {
    mkdirSync(join(dir, 'xk6/cmd/k6'), { recursive: true });
    writeFileSync(join(dir, 'package-lock.json'), '{}');
    writeFileSync(join(dir, 'xk6/cmd/k6/main.go'), 'package main\n');
    mkdirSync(join(dir, 'path'));
    executable(
      'path/go',
      `for word in "$@"; do if [ "$last" = "-o" ]; then /bin/cp '${k6}' "$word"; fi; last="$word"; done`,
    );
    const env = { PATH: join(dir, 'path') };
    const look = () => examineEngine(dir, env).look();
    expect(await look()).toMatchObject({ state: 'problem', found: expect.stringContaining('not built') });
    await examineEngine(dir, env).mend?.();
    expect(await look()).toMatchObject({
      state: 'ok',
      found: expect.stringMatching(
        /^k6 v2\.2\.0 with our extension, built with Go \(a clone takes no engine package\): \/.*\/k6$/,
      ),
    });
    writeFileSync(join(dir, 'xk6/cmd/k6/main.go'), 'package main // new\n');
    expect(await look()).toMatchObject({ state: 'problem', found: expect.stringContaining('other sources') });
    await examineEngine(dir, env).mend?.();
    expect(await look()).toMatchObject({ state: 'ok' });
  });

  test('of an engine package is told with its name, needs no Go, and is refused where it was changed', async () => {
    const name = `@weighbridge/engine-${systemName()}`;
    const folder = join(dir, 'node_modules', name);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    mkdirSync(join(dir, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{}');
    const path = join(folder, 'bin/k6');
    copyFileSync(k6, path);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const engines = { [systemName()]: { package: name, version: '1', sha256, bytes: 1 } };
    writeFileSync(join(dir, 'dist/engines.json'), JSON.stringify({ engines }));
    const env = { PATH: '', HOME: join(dir, 'home') };
    expect(await examineEngine(dir, env).look()).toMatchObject({
      state: 'ok',
      found: `k6 v2.2.0 with our extension, of ${name}, with the SHA-256 that this build knows: ${path}`,
    });
    expect(hasEngine(dir, env)).toBe(true);
    const address = { WEIGHBRIDGE_K6: 'https://host/k6', WEIGHBRIDGE_K6_SHA256: sha256 };
    expect(hasEngine(dir, { ...env, ...address })).toBe(true);
    expect(await examineEngine(dir, { ...env, ...address }).look()).toMatchObject({
      state: 'problem',
      found: 'not fetched yet: audit and run need it',
    });
    writeFileSync(path, 'another');
    expect(await examineEngine(dir, env).look()).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('Its SHA-256 is'),
    });
  });

  test('needs Go only where it is not built', () => {
    expect(goSeen('go1.25.3 linux/amd64', false).state).toBe('ok');
    expect(goSeen('go1.24.9 linux/amd64', false)).toMatchObject({ state: 'warning' });
    expect(goSeen('go2.0 linux/amd64', false).state).toBe('ok');
    expect(goSeen(null, false)).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('https://go.dev/dl'),
    });
    expect(goSeen(null, true).state).toBe('ok');
  });
});

test('clocks that differ are told by how much, and which is behind', () => {
  const at = (iso: string) => Date.parse(iso);
  const date = 'Sun, 22 Nov 2026 10:00:00 GMT';
  expect(clockSeen(date, at('2026-11-22T10:00:00.200Z'), at('2026-11-22T10:00:00.300Z')).state).toBe('ok');
  // Date tells the second alone, and the answer was on its way.
  expect(clockSeen(date, at('2026-11-22T10:00:02.900Z'), at('2026-11-22T10:00:03.000Z')).state).toBe('ok');
  expect(clockSeen(date, at('2026-11-22T09:59:50.000Z'), at('2026-11-22T09:59:50.000Z'))).toMatchObject({
    state: 'warning',
    found: "this machine's clock is 10 s behind the target's",
  });
  expect(clockSeen(date, at('2026-11-22T10:01:01.000Z'), at('2026-11-22T10:01:02.000Z')).found).toBe(
    "this machine's clock is 60 s ahead of the target's",
  );
  expect(clockSeen(null, 0, 0).state).toBe('not asked');
});

test('open files are judged by the calls that the configuration holds in flight', () => {
  expect(openFilesSeen('1024\n', 50).state).toBe('ok');
  expect(openFilesSeen('1024\n', 2_000)).toMatchObject({
    state: 'problem',
    fix: expect.stringContaining('ulimit -n 4256'),
  });
  expect(openFilesSeen('unlimited\n', 100_000).state).toBe('ok');
  expect(openFilesSeen(null, 5).state).toBe('not asked');
});

test('a disk without room is a problem, one with little a warning', () => {
  expect(diskSeen(5 * 2 ** 30)).toMatchObject({ state: 'ok', found: '5.0 GiB free' });
  expect(diskSeen(2 ** 29).state).toBe('warning');
  expect(diskSeen(2 ** 20).state).toBe('problem');
});

test('a port that is taken is told apart from a free one', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
