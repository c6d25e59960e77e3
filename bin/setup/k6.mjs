import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { cacheFolder, isClone } from './cache-folder.mjs';
import { contentHash, filesUnder } from './content-hash.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './step.mjs';

const NO_GO =
  'Building k6 needs Go 1.25 or newer, which is not on the PATH. Install it from https://go.dev/dl, or set WEIGHBRIDGE_K6 to a ready binary.';

/** How a k6 is called on this system. */
export const K6_FILE = process.platform === 'win32' ? 'k6.exe' : 'k6';

/** Gives the same bytes for the same sources and the same Go, wherever it is built. */
export const BUILD_FLAGS = ['-trimpath', '-buildvcs=false', '-ldflags', '-s -w'];

/**
 * Builds our k6 into k6/<hash of xk6/>/k6 of the cache. In a clone k6/current names it, from the clone's root on, so that a
 * clone can be moved. WEIGHBRIDGE_K6 stands for a ready binary: then nothing is built.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function k6Step(root, env) {
  const source = join(root, 'xk6');
  return {
    name: 'k6',
    isReady() {
      if (env['WEIGHBRIDGE_K6']) return true;
      const path = binaryOf(root, env);
      return existsSync(path) && (!isClone(root) || namedK6(root) === path);
    },
    async check() {
      if (existsSync(binaryOf(root, env))) return;
      await runCommand('go', ['version'], { cwd: source, env, missing: NO_GO });
      makeFolder(dirname(binaryOf(root, env)), root);
    },
    work: () => 'building k6 with our extension (go build; minutes the first time)',
    async run() {
      const path = binaryOf(root, env);
      if (!existsSync(path)) await build(source, path, env, root);
      if (isClone(root)) writeWhole(pointerOf(root), `${relative(root, path).split(sep).join('/')}\n`);
    },
  };
}

/**
 * Names the k6 that Go built here, or will build: in a clone the one built last, whatever its sources are by now.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 */
export function builtK6(root, env) {
  const named = isClone(root) ? namedK6(root) : null;
  return named !== null && existsSync(named) ? named : binaryOf(root, env);
}

/** @param {string} root */
function namedK6(root) {
  const pointer = pointerOf(root);
  return existsSync(pointer) ? resolve(root, readFileSync(pointer, 'utf8').trim()) : null;
}

/** @param {string} root */
function pointerOf(root) {
  return join(root, '.cache/k6/current');
}

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 */
function binaryOf(root, env) {
  return join(cacheFolder(root, env), 'k6', sourceHash(root), K6_FILE);
}

/** Names the sources that a k6 is built from. @param {string} root */
export function sourceHash(root) {
  const source = join(root, 'xk6');
  return contentHash(filesUnder(source, isBuildInput), source).slice(0, 16);
}

/**
 * @param {string} folder
 * @param {string} root
 */
function makeFolder(folder, root) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const another = isClone(root) ? '' : 'XDG_CACHE_HOME to a folder that you can write to, or ';
    throw new SetupError(
      `The cache folder for k6 cannot be written: ${why}. Set ${another}WEIGHBRIDGE_K6 to a ready binary.`,
    );
  }
}

/** Tests, types, examples and pages do not enter the binary. @param {string} name */
function isBuildInput(name) {
  return /(?<!_test)\.go$|^go\.(?:mod|sum)$/.test(name);
}

/**
 * @param {string} source
 * @param {string} path
 * @param {Record<string, string | undefined>} env
 * @param {string} root
 */
async function build(source, path, env, root) {
  const partial = `${path}.${process.pid}.partial`;
  makeFolder(dirname(path), root);
  try {
    await runCommand('go', ['build', ...BUILD_FLAGS, '-o', partial, './cmd/k6'], {
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
