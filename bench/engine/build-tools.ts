import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchOptions, wantedPeers } from './bench-options.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = join(ROOT, 'bench/engine');
const CACHE = join(ROOT, '.cache/bench');

/** Versions of the peers that pip installs; that of vegeta stands in its go.mod. */
export const VERSIONS = { locust: '2.47.0', aiperf: '0.13.0', guidellm: '0.8.1' } as const;

/** Programs of the bench; null where one cannot be had, which is said when it is tried. */
export interface Tools {
  readonly rig: string;
  readonly k6: string;
  /** The scenarios as a run drives them. */
  readonly scenarios: string;
  readonly vegeta: string | null;
  readonly locust: string | null;
  readonly aiperf: string | null;
}

/** Builds what the bench runs: the rig and k6 always from the tree, peers once. */
export function buildTools(options: BenchOptions): Tools {
  const wanted = wantedPeers(options);
  return {
    rig: buildRig(),
    k6: options.k6 ?? buildK6(),
    scenarios: bundled(),
    vegeta: wanted.vegeta ? optional('vegeta', buildVegeta) : null,
    locust: wanted.locust ? optional('Locust', pipLocust) : null,
    aiperf: wanted.aiperf ? optional('AIPerf', pipAiperf) : null,
  };
}

export function buildRig(): string {
  return goBuild(join(HERE, 'rig'), '.', 'rig');
}

export function buildK6(): string {
  return goBuild(join(ROOT, 'xk6'), './cmd/k6', 'k6');
}

/** The one that set-up installs for the tests, where it is there. */
export function pipLocust(): string {
  const named = join(ROOT, '.cache/locust/current');
  if (existsSync(named)) return readFileSync(named, 'utf8').trim();
  return pip('locust', [`locust==${VERSIONS.locust}`]);
}

export function pipAiperf(): string {
  return pip('aiperf', [`aiperf==${VERSIONS.aiperf}`, 'tokenizers']);
}

export function pipGuidellm(): string {
  return pip('guidellm', [`guidellm==${VERSIONS.guidellm}`]);
}

/** As set-up builds k6, so that what is measured is what is shipped. */
function goBuild(folder: string, target: string, name: string): string {
  mkdirSync(CACHE, { recursive: true });
  const path = join(CACHE, name);
  run(['go', 'build', '-trimpath', '-ldflags', '-s -w', '-o', path, target], folder, { CGO_ENABLED: '0' });
  return path;
}

function bundled(): string {
  const folder = join(CACHE, 'scenarios');
  run([process.execPath, join(ROOT, 'scripts/bundle-scenarios.ts'), folder], ROOT, {});
  return folder;
}

/** `go install` of its version is refused by some proxies; a module that requires it builds everywhere. */
export function buildVegeta(): string {
  const path = join(CACHE, 'vegeta');
  return existsSync(path) ? path : goBuild(join(HERE, 'vegeta'), 'github.com/tsenart/vegeta/v12', 'vegeta');
}

/** A virtual environment of its own; the command has the name of the package. */
function pip(name: string, packages: readonly string[]): string {
  const venv = join(CACHE, `venv-${name}`);
  const path = join(venv, 'bin', name);
  if (existsSync(path)) return path;
  console.log(`installing ${packages.join(', ')} with pip`);
  run(['python3', '-m', 'venv', venv], ROOT, {});
  run([join(venv, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', ...packages], ROOT, {});
  return path;
}

function optional(name: string, build: () => string): string | null {
  try {
    return build();
  } catch (cause) {
    console.log(`${name} is left out: ${cause instanceof Error ? cause.message : String(cause)}`);
    return null;
  }
}

function run(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>): void {
  const [program = '', ...args] = command;
  const done = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
  if (done.status === 0) return;
  const said = done.error?.message ?? done.stderr.trim().split('\n').slice(-3).join(' | ');
  throw new Error(`\`${command.join(' ')}\` ended with ${done.status}: ${said}`);
}
