import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runSteps } from '../bin/setup/step.mjs';
import { locateK6 } from '../src/drive/locate-k6.ts';
import { oldNode } from './support/old-node.ts';

const root = resolve(import.meta.dirname, '..');
let clone = '';

/** A clone with the set-up scripts, a lock file and a Go module, and a PATH with node and the given commands alone. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'wb-setup-'));
  cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  mkdirSync(join(clone, 'xk6/cmd/k6'), { recursive: true });
  mkdirSync(join(clone, 'path'));
  writeFileSync(join(clone, 'xk6/go.mod'), 'module example\n');
  writeFileSync(join(clone, 'xk6/cmd/k6/main.go'), 'package main\n');
  symlinkSync(process.execPath, join(clone, 'path/node'));
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Puts a command on the PATH that notes its arguments, and then does what the script says. */
function command(name: string, script: string): void {
  const path = join(clone, 'path', name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${clone}/calls'\n${script}\n`);
  chmodSync(path, 0o755);
}

function setUp(args: readonly string[] = [], env: Record<string, string> = {}) {
  const done = spawnSync(join(clone, 'path/node'), [join(clone, 'bin/setup.mjs'), ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: join(clone, 'path'), ...env },
  });
  return { status: done.status, lines: done.stderr.trimEnd().split('\n'), stdout: done.stdout };
}

function calls(): string[] {
  return readFileSync(join(clone, 'calls'), 'utf8').trimEnd().split('\n');
}

const NPM = '/bin/mkdir -p node_modules';
// Writes the file that follows -o.
const GO = 'for word in "$@"; do if [ "$last" = "-o" ]; then echo built > "$word"; fi; last="$word"; done';

it('installs and builds once, says what it did, and is quiet and quick the second time', () => {
  command('npm', NPM);
  command('go', GO);
  const first = setUp();
  expect(first.status).toBe(0);
  expect(first.stdout).toBe('');
  expect(first.lines).toEqual([
    'set-up: dependencies: npm ci',
    expect.stringMatching(/^set-up: dependencies: done \(\d+\.\d s\)$/),
    'set-up: k6: building k6 with our extension (go build; minutes the first time)',
    expect.stringMatching(/^set-up: k6: done \(\d+\.\d s\)$/),
    expect.stringMatching(/^set-up: ready \(\d+\.\d s\)$/),
  ]);
  const built = readFileSync(join(clone, '.cache/k6/current'), 'utf8').trim();
  expect(built).toMatch(/^\.cache\/k6\/[0-9a-f]{16}\/k6$/);
  expect(readFileSync(join(clone, built), 'utf8')).toBe('built\n');
  expect(calls()).toEqual([
    'npm ci --no-audit --no-fund',
    'go version',
    expect.stringMatching(/^go build -trimpath -buildvcs=false -ldflags -s -w -o .*\.partial \.\/cmd\/k6$/),
  ]);
  expect(setUp().lines).toEqual([expect.stringMatching(/^set-up: ready/)]);
  expect(calls()).toHaveLength(3);
});

it('builds anew when a source changes, not when a test does, and takes a known build back', () => {
  command('npm', NPM);
  command('go', GO);
  setUp();
  writeFileSync(join(clone, 'xk6/main_test.go'), 'package main\n');
  writeFileSync(join(clone, 'xk6/README.md'), 'A page.\n');
  expect(setUp().lines).toHaveLength(1);
  const before = readFileSync(join(clone, '.cache/k6/current'), 'utf8');
  writeFileSync(join(clone, 'xk6/cmd/k6/main.go'), 'package main // changed\n');
  setUp();
  expect(readFileSync(join(clone, '.cache/k6/current'), 'utf8')).not.toBe(before);
  expect(calls().filter((call) => call.startsWith('go build'))).toHaveLength(2);
  writeFileSync(join(clone, 'xk6/cmd/k6/main.go'), 'package main\n');
  setUp();
  expect(readFileSync(join(clone, '.cache/k6/current'), 'utf8')).toBe(before);
  expect(calls().filter((call) => call.startsWith('go build'))).toHaveLength(2);
});

it('takes what was built along when the clone is moved', () => {
  command('npm', NPM);
  command('go', GO);
  setUp();
  const moved = mkdtempSync(join(tmpdir(), 'wb-setup-'));
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  cpSync(clone, moved, { recursive: true, verbatimSymlinks: true });
  rmSync(clone, { recursive: true });
  clone = moved;
  expect(setUp().lines).toEqual([expect.stringMatching(/^set-up: ready/)]);
  expect(readFileSync(locateK6({}, clone), 'utf8')).toBe('built\n');
});

it('installs anew when the lock changes', () => {
  command('npm', NPM);
  expect(setUp(['--skip-k6']).status).toBe(0);
  expect(setUp(['--skip-k6']).lines).toHaveLength(1);
  writeFileSync(join(clone, 'package-lock.json'), '{"changed":true}');
  expect(setUp(['--skip-k6']).lines[0]).toBe('set-up: dependencies: npm ci');
});

it('says what to install where there is no Go', () => {
  stamp();
  const { status, lines } = setUp();
  expect(status).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(/^set-up: Building k6 needs Go 1\.25 or newer.*https:\/\/go\.dev\/dl/),
    ' code: setup_failed (docs/errors.md#setup_failed)',
  ]);
});

it('needs no Go with a ready binary, or without k6', () => {
  stamp();
  expect(setUp([], { WEIGHBRIDGE_K6: '/some/k6' }).status).toBe(0);
  expect(setUp(['--skip-k6']).status).toBe(0);
});

// Puts the commands of a package on the PATH: each is the one that runs, under another name.
const APT = `case "$*" in *install*) for word in "$@"; do last="$word"; done
case "$last" in ffmpeg) last=ffprobe;; prometheus) last=promtool;; systemd) last=systemd-analyze;; esac; /bin/cp "$0" "\${0%/*}/$last";; esac`;
// A virtual environment is a folder with a python3, which installs the tool that it is told of beside itself.
const PYTHON = `case "$*" in
*venv\\ --clear*) for word in "$@"; do last="$word"; done; /bin/mkdir -p "$last/bin"; /bin/cp "$0" "$last/bin/python3";;
*pip\\ install*) for word in "$@"; do last="$word"; done; last="\${last%%==*}"; echo tool > "\${0%/*}/\${last%%\\[*}";; esac`;

it('installs what the tests need, and says what is missing where it cannot', () => {
  stamp();
  const without = setUp(['--skip-k6', '--tests']);
  expect(without.status).toBe(2);
  expect(without.lines.join('\n')).toContain('the tests need chromium');
  command('apt-get', APT);
  command('gcc', 'exit 0');
  command('python3', PYTHON);
  const installed = setUp(['--skip-k6', '--tests']);
  expect(installed.lines.join('\n')).toMatch(/installing chromium with apt-get/);
  expect(installed.lines.join('\n')).toMatch(/installing ffmpeg with apt-get/);
  expect(installed.lines.join('\n')).toMatch(/installing prometheus with apt-get/);
  expect(installed.status).toBe(0);
  const installs = calls().filter((call) => /^apt-get install /.test(call));
  expect(installs.length).toBeGreaterThan(0);
  for (const call of installs) expect(call).toContain(` -o DPkg::Path=${clone}/.cache/no-services:`);
  for (const service of ['invoke-rc.d', 'update-rc.d', 'deb-systemd-invoke', 'deb-systemd-helper'])
    expect(spawnSync(join(clone, '.cache/no-services', service), ['prometheus', 'start']).status).toBe(0);
  const made = calls().length;
  expect(setUp(['--skip-k6', '--tests']).lines).toHaveLength(1);
  expect(calls()).toHaveLength(made);
});

describe('tools of Python', () => {
  beforeEach(() => {
    stamp();
    for (const name of ['chromium', 'gcc', 'ffprobe', 'promtool', 'systemd-analyze', 'zsh', 'fish'])
      command(name, 'exit 0');
  });

  it.each([
    ['schemathesis', '4.32.5'],
    ['focus-validator', '2.2.1'],
    ['kubernetes-validate', '1.37.0'],
    ['litellm', '1.100.0', 'litellm[proxy]'],
    ['openai', '3.57.0', 'anthropic==2.14.0 openai', 'python3'],
    ['locust', '2.47.0'],
  ])(
    '%s is installed into .cache at the pinned version, and named when all of it is there',
    (name, version, packages = name, file = name) => {
      command('python3', PYTHON);
      expect(setUp(['--skip-k6', '--tests']).status).toBe(0);
      const path = readFileSync(join(clone, '.cache', name, 'current'), 'utf8').trim();
      const [home = '', hash = ''] = path.split(`/.cache/${name}/${version}-`);
      expect(home).not.toBe('');
      expect(hash).toMatch(new RegExp(`^[0-9a-f]{8}/bin/${file}$`));
      if (file === name) expect(readFileSync(path, 'utf8')).toBe('tool\n');
      const installed = calls().filter((call) => call.endsWith(` ${packages}==${version}`));
      expect(installed).toEqual([expect.stringMatching(/-m pip install .*--constraint /)]);
    },
  );

  it('takes a newer Python that stands beside one that is too old', () => {
    command('python3', `case "$*" in *'(3, 12)'*) exit 1;; esac\n${PYTHON}`);
    command('python3.12', PYTHON);
    expect(setUp(['--skip-k6', '--tests']).status).toBe(0);
    const made = calls().filter((call) => call.includes(' -m venv '));
    expect(made.map((call) => [call.split(' ')[0], /\.cache\/([a-z-]+)/.exec(call)?.[1]])).toEqual([
      ['python3', 'schemathesis'],
      ['python3.12', 'focus-validator'],
      ['python3', 'kubernetes-validate'],
      ['python3', 'litellm'],
      ['python3', 'openai'],
      ['python3', 'locust'],
    ]);
  });

  it('is installed anew after an installation that broke off', () => {
    command(
      'python3',
      `${PYTHON}\ncase "$*" in *pip\\ install*) echo "ERROR: no such version"; exit 1;; esac`,
    );
    const broken = setUp(['--skip-k6', '--tests']);
    expect(broken.status).toBe(1);
    expect(broken.lines.join('\n')).toContain('ERROR: no such version');
    expect(() => readFileSync(join(clone, '.cache/schemathesis/current'))).toThrow('ENOENT');
    command('python3', PYTHON);
    expect(setUp(['--skip-k6', '--tests']).status).toBe(0);
    const installs = calls().filter((call) => / schemathesis==/.test(call));
    expect(installs).toHaveLength(2);
  });

  it('brings python3 with venv where there is none, or says what to install', () => {
    const without = setUp(['--skip-k6', '--tests']);
    expect(without.status).toBe(2);
    expect(without.lines.join('\n')).toContain('install python3 and python3-venv');
    command('python3', 'exit 1');
    command('apt-get', `case "$*" in *python3-venv*) /bin/cp "\${0%/*}/later" "\${0%/*}/python3";; esac`);
    command('later', PYTHON);
    expect(setUp(['--skip-k6', '--tests']).status).toBe(0);
    expect(calls()).toContainEqual(
      expect.stringMatching(/^apt-get install .+ --no-install-recommends python3 python3-venv$/),
    );
  });
});

it('fails with what npm and go said, and takes no half of a build for a whole one', () => {
  command('npm', 'echo "npm error the lock is out of sync"; exit 3');
  const npm = setUp();
  expect(npm.status).toBe(1);
  expect(npm.lines.join('\n')).toContain(
    'npm ci --no-audit --no-fund ended with 3:\nnpm error the lock is out of sync',
  );
  stamp();
  command('go', `${GO}\n[ "$1" = version ] || { echo "main.go:3: error"; exit 1; }`);
  const go = setUp();
  expect(go.status).toBe(1);
  expect(go.lines.join('\n')).toContain('main.go:3: error');
  expect(() => readFileSync(join(clone, '.cache/k6/current'))).toThrow('ENOENT');
  command('go', GO);
  expect(setUp().status).toBe(0);
});

it('says meanwhile that a long step is still at work, and no longer when it failed', async () => {
  const said: string[] = [];
  const told = Promise.withResolvers<void>();
  // A step that is never told of ends by itself, a thousand tellings later.
  const late = setTimeout(told.resolve, 5_000);
  const step = { name: 'k6', isReady: () => false, work: () => 'building', run: () => told.promise };
  const say = (line: string) => {
    said.push(line);
    if (line.includes('still')) told.resolve();
  };
  await runSteps([step], say, 5);
  clearTimeout(late);
  expect(said[1]).toMatch(/^set-up: k6: still at work \(\d+\.\d s\)$/);
  expect(said.at(-2)).toMatch(/^set-up: k6: done/);
  const lines = said.length;
  await expect(runSteps([{ ...step, run: () => Promise.reject(new Error('no')) }], say, 5)).rejects.toThrow(
    'no',
  );
  await new Promise((passed) => setTimeout(passed, 20));
  expect(said).toHaveLength(lines + 1);
});

it('refuses a flag it does not know', () => {
  expect(setUp(['--quick'])).toMatchObject({
    status: 2,
    lines: [
      'set-up: There is no flag --quick. Use --skip-k6 or --tests.',
      ' code: setup_failed (docs/errors.md#setup_failed)',
    ],
  });
});

describe('the command of a clone', () => {
  /** As set-up brings one, saying what it is given. */
  function bringNode(script: string): void {
    mkdirSync(join(clone, 'node_modules/node/bin'), { recursive: true });
    writeFileSync(join(clone, 'node_modules/node/bin/node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const bin = () => join(clone, 'bin/weighbridge.mjs');

  it('runs under the Node that set-up brought, from any folder, and ends as it does', () => {
    bringNode('echo "$@"; exit 5');
    const done = spawnSync(oldNode(), [bin(), 'audit', '--json'], { cwd: tmpdir(), encoding: 'utf8' });
    expect(done).toMatchObject({ status: 5, stdout: `${bin()} audit --json\n`, stderr: '' });
  });

  it('passes SIGTERM on, which drains a run', async () => {
    const drains = "process.on('SIGTERM', () => { console.log('drained'); process.exit(6); });";
    bringNode(`exec '${process.execPath}' -e "${drains} setTimeout(() => 0, 60_000); console.log('ready');"`);
    const child = spawn(oldNode(), [bin(), 'audit'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: string[] = [];
    const lines = createInterface(child.stdout).on('line', (line) => said.push(line));
    await once(lines, 'line');
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([6, null]);
    expect(said).toEqual(['ready', 'drained']);
  });

  it('says what to do where set-up brought none', () => {
    const done = spawnSync(oldNode(), [bin()], { encoding: 'utf8' });
    expect(done).toMatchObject({ status: 2, stderr: expect.stringContaining('"npm run setup" installs it') });
  });
});

/** Marks the dependencies as installed. */
function stamp(): void {
  mkdirSync(join(clone, 'node_modules'), { recursive: true });
  const lock = readFileSync(join(clone, 'package-lock.json'));
  const hash = createHash('sha256').update(`package-lock.json\0${lock.length}\0`).update(lock).digest('hex');
  writeFileSync(join(clone, 'node_modules/.weighbridge-setup'), hash);
}
