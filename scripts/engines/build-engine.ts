import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILD_FLAGS } from '../../bin/setup/k6.mjs';
import type { EngineSystem } from './engine-systems.ts';

/** Settings of this machine that would change the bytes. */
const UNSET = { GOFLAGS: '', GOEXPERIMENT: '', GOWORK: 'off', GOAMD64: 'v1', GOARM64: 'v8.0' };

/** Builds our k6 for a system, and returns the SHA-256 of the file. */
export function buildEngine(
  source: string,
  { goos, goarch }: Pick<EngineSystem, 'goos' | 'goarch'>,
  file: string,
  cache?: string,
): string {
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('go', ['build', ...BUILD_FLAGS, '-o', file, './cmd/k6'], {
    cwd: source,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...UNSET,
      ...(cache === undefined ? {} : { GOCACHE: cache }),
      CGO_ENABLED: '0',
      GOOS: goos,
      GOARCH: goarch,
    },
  });
  return sha256Of(file);
}

/** Builds it from a copy of the sources in another folder, with nothing that an earlier build left. */
export function buildAnew(source: string, system: EngineSystem): string {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-engine-'));
  try {
    const copy = join(folder, 'elsewhere');
    cpSync(source, copy, { recursive: true });
    return buildEngine(copy, system, join(folder, 'k6'), join(folder, 'cache'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** How a reader builds it, from the root of a clone. */
export function buildCommand({ goos, goarch }: EngineSystem): string {
  const flags = BUILD_FLAGS.map((flag) => (flag.includes(' ') ? `"${flag}"` : flag)).join(' ');
  return `cd xk6 && CGO_ENABLED=0 GOOS=${goos} GOARCH=${goarch} go build ${flags} -o k6 ./cmd/k6`;
}
