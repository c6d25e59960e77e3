import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { locateK6 } from '../src/drive/locate-k6.ts';
import { type RunningGateway, startGateway } from '../src/gateway/start-gateway.ts';

const root = resolve(import.meta.dirname, '..');
const packageFile = z.object({ version: z.string(), devDependencies: z.record(z.string(), z.string()) });
const packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));

let dir = '';
let files: string[] = [];

/** Packs as `npm publish` would, and installs the tarball as a user would. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-package-'));
  const listing = npm(['pack', '--json', '--pack-destination', dir], root);
  // `--json` prints one list; what the build says stands before it.
  const [tarball] = packed.parse(JSON.parse(listing.slice(listing.search(/^\[/m))));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  files = tarball.files.map(({ path }) => path);
  writeFileSync(join(dir, 'package.json'), '{"name":"user","private":true}');
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', join(dir, tarball.filename)], dir);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** As in the folder of a user: nothing but the tarball and its dependencies, no setting of this shell. */
function weighbridge(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const bin = join(dir, 'node_modules/weighbridge/bin/weighbridge.mjs');
  const whole = { HOME: dir, PATH: process.env['PATH'], ...env };
  return spawnSync(node, [bin, ...args], { cwd: dir, encoding: 'utf8', env: whole });
}

/** Every folder of the PATH but those with Go. */
function pathWithoutGo(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !existsSync(join(folder, 'go'))).join(delimiter);
}

describe('the packed tarball', () => {
  it('runs under the Node of development', () => {
    const { version } = packageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const done = weighbridge(process.execPath, ['--version']);
    expect(done.stderr).toBe('');
    expect(done.status).toBe(0);
    expect(done.stdout).toContain(version);
  });

  it('loads the gateway and all it needs', () => {
    const done = weighbridge(process.execPath, ['gateway', '--help']);
    expect(done.stderr).toBe('');
    expect(done.status).toBe(0);
    expect(done.stdout).toMatch(/--port/);
    expect(done.stdout).toMatch(/--faults/);
  });

  it('gives programs the fetch that writes a ledger', () => {
    const program =
      "import { weighed } from 'weighbridge/record'; console.log(typeof weighed({ dir: 'ledger' }));";
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: dir,
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('');
    expect(done.stdout).toBe('function\n');
  });

  it('says one clear line under a Node that is too old', () => {
    const done = weighbridge(oldNode(), ['--version']);
    expect(done.status).toBe(2);
    expect(done.stdout).toBe('');
    expect(done.stderr).toMatch(
      /^weighbridge needs Node 22\.19\.0 or newer and found \d+\.\d+\.\d+: install [^\n]+\n$/,
    );
  });

  it('has a command of its own', () => {
    expect(existsSync(join(dir, 'node_modules/.bin/weighbridge'))).toBe(true);
  });

  it.each([
    'bin/weighbridge.mjs',
    'dist/cli/main.js',
    'dist/scenarios/mixed.js',
    'dist/record/record.js',
    'dist/record/record.d.ts',
    'scenarios/mixed.ts',
    'src/workload/call-plan.ts',
    'xk6/go.mod',
    'xk6/go.sum',
    'xk6/cmd/k6/main.go',
    'weighbridge.yaml',
    'README.md',
    'LICENSE',
    'NOTICE',
  ])('holds %s', (path) => {
    expect(files).toContain(path);
  });

  it('holds nothing that only development needs, and installs nothing of it', () => {
    expect(files.filter((path) => /(^|\/)dashboards\//.test(path))).toEqual([]);
    const { devDependencies } = packageFile.parse(
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    );
    const names = Object.keys(devDependencies);
    expect(names).toContain('vitest');
    expect(names.filter((name) => existsSync(join(dir, 'node_modules', name)))).toEqual([]);
  });

  it('holds no test, report, cache or ledger', () => {
    expect(
      files.filter((path) => /\.test\.|_test\.go$|^(test|reports|\.cache|\.weighbridge|bench)\//.test(path)),
    ).toEqual([]);
  });
});

describe('without Go on the PATH', () => {
  const NO_GO = { PATH: pathWithoutGo() };
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  });
  afterAll(() => gateway.close());

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    weighbridgeBeside(args, { ...NO_GO, WEIGHBRIDGE_API_KEY: gateway.ready.api_key, ...env });

  it('there is none', () => {
    expect(spawnSync('go', ['version'], { env: NO_GO }).error).toMatchObject({ code: 'ENOENT' });
  });

  it('a configuration is written, planned and checked, and a past period audited', async () => {
    const target = ['--target', gateway.ready.base_url];
    expect(await run(['init', ...target])).toMatchObject({ status: 0, stderr: '' });
    const plan = await run(['plan']);
    expect(plan).toMatchObject({ status: 0, stderr: '' });
    expect(plan.stdout).toMatch(/^total: 54 calls, expected \$/m);
    expect(await run(['probe', '--check'])).toMatchObject({ status: 0 });
    expect(await run(['pull'])).toMatchObject({ status: 0 });
    const day = new Date().toISOString().slice(0, 10);
    const next = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const month = await run(['reconcile', ...target, '--from', day, '--to', next, '--json']);
    expect({ ...month, status: [0, 7].includes(month.status ?? 1) }).toMatchObject({ status: true });
    expect(month.stdout).toContain('"result":');
  });

  it('the gateway serves, and doctor says that k6 is missing and how to get it', async () => {
    const child = spawn(process.execPath, [bin(), 'gateway', '--port', '0', '--json'], {
      cwd: dir,
      env: { ...NO_GO },
    });
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      expect(JSON.parse(String(line))).toMatchObject({
        base_url: expect.stringContaining('http://127.0.0.1:'),
      });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    const { status, stdout } = await run(['doctor']);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^Go +warning +none on the PATH/m);
    expect(stdout).toMatch(/^k6 +problem +not built yet/m);
    const audit = await run(['audit', ...EMBEDDED]);
    expect(audit.status).toBe(2);
    expect(audit.stderr).toMatch(/building k6 needs Go 1\.25 or newer/);
  });

  it('npx weighbridge audit runs with a k6 that is given, and its run is judged and rendered again', async () => {
    const k6 = { WEIGHBRIDGE_K6: locateK6(process.env, root) };
    const done = await finished('npx', ['weighbridge', 'audit', ...EMBEDDED], { ...NO_GO, ...k6 });
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/findings +none/);
    const result = join(dir, 'reports', newestRun(), 'result.json');
    const { tool } = resultFile.parse(JSON.parse(readFileSync(result, 'utf8')));
    const { version } = packageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    const build = JSON.parse(readFileSync(join(dir, 'node_modules/weighbridge/dist/build.json'), 'utf8'));
    expect(tool).toEqual({ weighbridge: version, ...(build.revision === null ? {} : build), k6: 'v2.2.0' });
    const before = readFileSync(result, 'utf8');
    expect(await run(['report'])).toMatchObject({ status: 0 });
    expect(await run(['reconcile'])).toMatchObject({ status: 0 });
    expect(readFileSync(result, 'utf8')).toBe(before);
  });
});

it('npx weighbridge audit builds k6 once where there is Go, and then runs', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...goCaches() };
  const first = await finished('npx', ['weighbridge', 'audit', ...EMBEDDED], env);
  expect(first.status, first.stderr).toBe(0);
  expect(first.stderr).toContain('set-up: k6: building k6');
  const second = await finished('npx', ['weighbridge', 'audit', ...EMBEDDED], { PATH: pathWithoutGo() });
  expect(second.status, second.stderr).toBe(0);
  expect(second.stderr).not.toContain('set-up');
});

const resultFile = z.object({ tool: z.record(z.string(), z.string()) });
/** The embedded gateway, whatever weighbridge.yaml stands there by now. */
const EMBEDDED = ['--config', 'node_modules/weighbridge/weighbridge.yaml', '--duration', '3s'];

function bin(): string {
  return join(dir, 'node_modules/weighbridge/bin/weighbridge.mjs');
}

function newestRun(): string {
  // The audit of a period stands there too, and drove nothing.
  const runs = readdirSync(join(dir, 'reports')).filter((name) =>
    existsSync(join(dir, 'reports', name, 'plan.json')),
  );
  return runs.sort().at(-1) ?? '';
}

/** What Go has built and fetched for this user already. */
function goCaches(): Readonly<Record<string, string>> {
  const caches = execFileSync(
    'go',
    ['env', '-json', 'GOCACHE', 'GOMODCACHE', 'GOPROXY', 'GOFLAGS', 'GOSUMDB'],
    {
      encoding: 'utf8',
    },
  );
  return z.record(z.string(), z.string()).parse(JSON.parse(caches));
}

/** Beside this process, which may be serving what it asks. */
function weighbridgeBeside(args: readonly string[], env: Readonly<Record<string, string>>) {
  return finished(process.execPath, [bin(), ...args], env);
}

async function finished(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command, [...args], { cwd: dir, env: { HOME: dir, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { status, stdout, stderr };
}

/** A Node below 22 on the PATH; without one the promise of one clear line cannot be checked, which is a failure. */
function oldNode(): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path))
    .find(
      (path) =>
        Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) < 22,
    );
  if (found === undefined)
    throw new Error('this test needs a Node below 22 on the PATH beside the one it runs under');
  return found;
}
