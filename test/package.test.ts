import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '..');
const packageFile = z.object({ version: z.string() });
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
}, 300_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function weighbridge(node: string, args: readonly string[]) {
  const bin = join(dir, 'node_modules/weighbridge/bin/weighbridge.mjs');
  // Nothing but the tarball and its dependencies: no PATH to a clone, no setting of this shell.
  const env = { HOME: dir, PATH: process.env['PATH'] };
  return spawnSync(node, [bin, ...args], { cwd: dir, encoding: 'utf8', env });
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
    'src/core/call-plan.ts',
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

  it('holds no test, report, cache or ledger', () => {
    expect(
      files.filter((path) => /\.test\.|_test\.go$|^(test|reports|\.cache|\.weighbridge|bench)\//.test(path)),
    ).toEqual([]);
  });
});

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
