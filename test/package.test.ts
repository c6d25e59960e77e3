import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { engineList, systemName } from '../src/contracts/engine-list.ts';
import { locateK6 } from '../src/drive/locate-k6.ts';
import { type RunningGateway, startGateway } from '../src/gateway/start-gateway.ts';
import { CAN_CONTAIN } from './support/image/container.ts';
import { oldNode } from './support/old-node.ts';
import { deadLinks, deadPaths } from './support/package/dead-links.ts';
import { listFiles } from './support/run-weighbridge.ts';

const root = resolve(import.meta.dirname, '..');
const packageFile = z.object({ version: z.string(), devDependencies: z.record(z.string(), z.string()) });
const engineManifest = z.object({
  license: z.string(),
  os: z.tuple([z.string()]),
  cpu: z.tuple([z.string()]),
});
const packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));

const ENGINE = `@weighbridge/engine-${systemName()}`;

let dir = '';
let files: string[] = [];
/** A folder with both packages. */
let whole = '';

/** Builds the engine of this machine, packs as `npm publish` would, and installs the tarballs as a user would. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-package-'));
  whole = mkdtempSync(join(tmpdir(), 'wb-whole-'));
  const script = join(root, 'scripts/build-engines.ts');
  execFileSync(process.execPath, [script, '--only', systemName(), '--once'], { stdio: 'inherit' });
  const listing = npm(['pack', '--json', '--pack-destination', dir], root);
  // `--json` prints one list; what the build says stands before it.
  const [tarball] = packed.parse(JSON.parse(listing.slice(listing.search(/^\[/m))));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  files = tarball.files.map(({ path }) => path);
  writeFileSync(join(dir, 'package.json'), '{"name":"user","private":true}');
  install(dir, join(dir, tarball.filename));
  const engine = join(root, `build/weighbridge-engine-${systemName()}-${packedVersion()}.tgz`);
  writeFileSync(join(whole, 'package.json'), '{"name":"user","private":true}');
  install(whole, join(dir, tarball.filename), engine);
});

afterAll(() => {
  for (const folder of [dir, whole]) rmSync(folder, { recursive: true, force: true });
});

function install(folder: string, ...tarballs: readonly string[]): void {
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', ...tarballs], folder);
}

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
    const done = weighbridge(process.execPath, ['--version']);
    expect(done.stderr).toBe('');
    expect(done.status).toBe(0);
    expect(done.stdout).toContain(packedVersion());
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
      /^error: Weighbridge needs Node 22\.19\.0 or newer, and this is Node \d+\.\d+\.\d+\.\n {2}why: .+\n {2}fix: Install [^\n]+\n code: node_too_old [^\n]+\n$/,
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
    expect(files.filter((path) => /^dist\/dashboards\//.test(path))).toEqual([]);
    const { devDependencies } = packageFile.parse(
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    );
    const names = Object.keys(devDependencies);
    expect(names).toContain('vitest');
    expect(names.filter((name) => existsSync(join(dir, 'node_modules', name)))).toEqual([]);
  });

  it('holds no test, cache or ledger, and of the reports the sample alone', () => {
    const ours = files.filter((path) => !path.startsWith('reports/sample/'));
    expect(
      ours.filter((path) =>
        /\.test\.[jt]s$|_test\.go$|^(test|reports|\.cache|\.weighbridge|bench)\//.test(path),
      ),
    ).toEqual([]);
  });

  it('leads each link of its pages, and each path of its messages and templates, to a file in it', () => {
    const folder = join(dir, 'node_modules/weighbridge');
    const paths = new Set(listFiles(folder).map((path) => relative(folder, path)));
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(deadLinks({ paths, read })).toEqual([]);
    const texts = [...paths].filter((path) =>
      /^(?:dist\/.*\.js|(?:deploy|dashboards|examples)\/.+)$/.test(path),
    );
    expect(texts.length).toBeGreaterThan(300);
    expect(deadPaths({ paths, read }, texts)).toEqual([]);
  });

  it('names a page of its own by a path that opens from where the user stands', () => {
    const done = weighbridge(process.execPath, ['reconcile', '--ledger', 'a', '--ledger-format', 'b']);
    const [page = 'none'] = /\S+\.md/.exec(done.stderr) ?? [];
    expect({ page, there: existsSync(resolve(dir, page)) }).toEqual({
      page: 'node_modules/weighbridge/docs/evidence.md',
      there: true,
    });
  });
});

describe('the engine package', () => {
  const folder = () => join(whole, 'node_modules', ENGINE);

  it('says its licence, its source, how it was built, and what it links', () => {
    const { license, os, cpu } = engineManifest.parse(
      JSON.parse(readFileSync(join(folder(), 'package.json'), 'utf8')),
    );
    expect({ license, system: `${os[0]}-${cpu[0]}` }).toEqual({
      license: 'AGPL-3.0-only',
      system: systemName(),
    });
    expect(readFileSync(join(folder(), 'LICENSE'), 'utf8')).toContain('GNU AFFERO GENERAL PUBLIC LICENSE');
    const readme = readFileSync(join(folder(), 'README.md'), 'utf8');
    expect(readme).toMatch(/^Commit (?:[0-9a-f]{12}\S*|unknown) of Weighbridge, folder `xk6`/m);
    expect(readme).toMatch(
      /^ {4}cd xk6 && CGO_ENABLED=0 GOOS=\w+ GOARCH=\w+ go build -trimpath -buildvcs=false /m,
    );
    const linked = readFileSync(join(folder(), 'LINKED-LICENCES.txt'), 'utf8');
    for (const module of ['github.com/grafana/sobek ', 'the Go standard library ', 'golang.org/x/net '])
      expect(linked).toContain(`\n${module}`);
  });

  it('holds the binary whose SHA-256 the main package was packed with', () => {
    const list = JSON.parse(readFileSync(join(whole, 'node_modules/weighbridge/dist/engines.json'), 'utf8'));
    const engine = engineList.parse(list).engines[systemName()];
    const bytes = readFileSync(join(folder(), 'bin', process.platform === 'win32' ? 'k6.exe' : 'k6'));
    expect(engine?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(engine?.bytes).toBe(bytes.length);
  });

  it.skipIf(!CAN_CONTAIN)(
    'audits from a read-only folder, with no Go, no compiler and no home on the machine',
    async () => {
      const work = mkdtempSync(join(tmpdir(), 'wb-work-'));
      const path = join(work, 'path');
      mkdirSync(path);
      symlinkSync(process.execPath, join(path, 'node'));
      symlinkSync('/bin/sh', join(path, 'sh'));
      const mounts = [`mount --bind ${whole} ${whole}`, `mount -o remount,bind,ro ${whole}`];
      const command = join(whole, 'node_modules/.bin/weighbridge');
      const inReadOnly = (...args: readonly string[]) =>
        finished(
          'unshare',
          ['--mount', 'sh', '-euc', [...mounts, 'PATH="$0" exec "$@"'].join('\n'), path, ...args],
          {
            cwd: work,
            env: { PATH: process.env['PATH'] ?? '', HOME: whole },
          },
        );
      try {
        const doctor = await inReadOnly(command, 'doctor');
        expect(doctor.stdout).toMatch(new RegExp(`^k6 +ok +k6 v\\S+ with our extension, of ${ENGINE}`, 'm'));
        expect(doctor.stdout).toMatch(/^Go +ok +none on the PATH/m);
        const started = performance.now();
        const audit = await inReadOnly(command, 'audit', '--duration', '3s');
        const seconds = (performance.now() - started) / 1000;
        process.stdout.write(
          `audit from a read-only folder: ${(seconds - 3).toFixed(1)} s beside 3 s of load\n`,
        );
        expect(audit.status, audit.stderr).toBe(0);
        expect(audit.stdout).toMatch(/findings +none/);
        expect(audit.stderr).not.toContain('set-up');
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  );
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
    expect(stdout).toContain(`${ENGINE} ${packedVersion()} is not installed`);
    const audit = await run(['audit', ...EMBEDDED]);
    expect(audit.status).toBe(2);
    expect(audit.stderr).toMatch(/Building k6 needs Go 1\.\d+ or newer/);
  });

  it('npx --no-install weighbridge audit runs with a k6 that is given, and its run is judged and rendered again', async () => {
    const k6 = { WEIGHBRIDGE_K6: locateK6(process.env, root) };
    const done = await npx({ ...NO_GO, ...k6 });
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/findings +none/);
    const result = join(dir, 'reports', newestRun(), 'result.json');
    const { tool } = resultFile.parse(JSON.parse(readFileSync(result, 'utf8')));
    const version = packedVersion();
    const build = JSON.parse(readFileSync(join(dir, 'node_modules/weighbridge/dist/build.json'), 'utf8'));
    expect(tool).toEqual({ weighbridge: version, ...(build.revision === null ? {} : build), k6: 'v2.2.0' });
    const before = readFileSync(result, 'utf8');
    expect(await run(['report'])).toMatchObject({ status: 0 });
    expect(await run(['reconcile'])).toMatchObject({ status: 0 });
    expect(readFileSync(result, 'utf8')).toBe(before);
  });
});

it('npx --no-install weighbridge audit builds k6 once where there is Go, and then runs', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...goCaches() };
  const first = await npx(env);
  expect(first.status, first.stderr).toBe(0);
  expect(first.stderr).toContain('set-up: k6: building k6');
  const second = await npx({ PATH: pathWithoutGo() });
  expect(second.status, second.stderr).toBe(0);
  expect(second.stderr).not.toContain('set-up');
  // The folder of the package stays as it was installed.
  expect(existsSync(join(dir, 'node_modules/weighbridge/.cache'))).toBe(false);
});

const resultFile = z.object({ tool: z.record(z.string(), z.string()) });
/** The embedded gateway, whatever weighbridge.yaml stands there by now. */
const EMBEDDED = ['--config', 'node_modules/weighbridge/weighbridge.yaml', '--duration', '3s'];

function packedVersion(): string {
  return packageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version;
}

/** The audit that docs/install.md shows. */
function npx(env: Readonly<Record<string, string>>) {
  return finished('npx', ['--no-install', 'weighbridge', 'audit', ...EMBEDDED], {
    cwd: dir,
    env: { HOME: dir, ...env },
  });
}

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
  return finished(process.execPath, [bin(), ...args], { cwd: dir, env: { HOME: dir, ...env } });
}

async function finished(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) {
  const child = spawn(command, [...args], { cwd, env: { ...env } });
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
