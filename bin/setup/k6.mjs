import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash, filesUnder } from './content-hash.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './step.mjs';

const NO_GO =
  'building k6 needs Go 1.25 or newer, and there is none on the PATH: install it from https://go.dev/dl, or set WEIGHBRIDGE_K6 to a ready binary';

/**
 * Builds our k6 into .cache/k6/<hash of xk6/>/k6 and names it in .cache/k6/current.
 * WEIGHBRIDGE_K6 stands for a ready binary: then nothing is built.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function k6Step(root, env) {
  const source = join(root, 'xk6');
  const cache = join(root, '.cache/k6');
  const current = join(cache, 'current');
  const hash = () => contentHash(filesUnder(source, isBuildInput), source).slice(0, 16);
  const binary = () => join(cache, hash(), process.platform === 'win32' ? 'k6.exe' : 'k6');
  return {
    name: 'k6',
    isReady() {
      if (env['WEIGHBRIDGE_K6']) return true;
      const path = binary();
      return existsSync(path) && existsSync(current) && readFileSync(current, 'utf8').trim() === path;
    },
    async check() {
      if (!existsSync(binary())) await runCommand('go', ['version'], { cwd: source, env, missing: NO_GO });
    },
    work: () => 'building k6 with our extension (go build; minutes the first time)',
    async run() {
      const path = binary();
      if (!existsSync(path)) await build(source, path, env);
      writeWhole(current, `${path}\n`);
    },
  };
}

/** Tests, types, examples and pages do not enter the binary. @param {string} name */
function isBuildInput(name) {
  return /(?<!_test)\.go$|^go\.(?:mod|sum)$/.test(name);
}

/**
 * @param {string} source
 * @param {string} path
 * @param {Record<string, string | undefined>} env
 */
async function build(source, path, env) {
  const partial = `${path}.${process.pid}.partial`;
  mkdirSync(join(path, '..'), { recursive: true });
  try {
    await runCommand('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', partial, './cmd/k6'], {
      cwd: source,
      env: { ...env, CGO_ENABLED: '0' },
      missing: NO_GO,
    });
    // A build that was cut off must never be taken for a binary.
    renameSync(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    if (cause instanceof SetupError && /requires go >=|go: download go/.test(cause.message)) {
      throw new SetupError(`${NO_GO}\n${cause.message}`);
    }
    throw cause;
  }
}

/**
 * @param {string} path
 * @param {string} text
 */
function writeWhole(path, text) {
  const partial = `${path}.${process.pid}.partial`;
  writeFileSync(partial, text);
  renameSync(partial, path);
}
