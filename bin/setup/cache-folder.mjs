import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { SetupError } from './step.mjs';

/**
 * Names the folder for what is built or fetched once: `.cache` of a clone; of a package the user's own, as XDG has it,
 * since the folder of a package may be read-only and is replaced by the next version.
 * @param {string} root The folder of package.json.
 * @param {Record<string, string | undefined>} env
 */
export function cacheFolder(root, env) {
  if (isClone(root)) return join(root, '.cache');
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  // The specification has relative paths ignored.
  return join(isAbsolute(xdg) ? xdg : join(homeFolder(env), '.cache'), 'weighbridge');
}

/** Tells a clone from a package: npm packs no lock file. @param {string} root */
export function isClone(root) {
  return existsSync(join(root, 'package-lock.json'));
}

/** @param {Record<string, string | undefined>} env */
function homeFolder(env) {
  if (env['HOME']) return env['HOME'];
  try {
    return homedir();
  } catch {
    throw new SetupError(
      'This user has no home folder. Set XDG_CACHE_HOME to a folder that you can write to.',
    );
  }
}
