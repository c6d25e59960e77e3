import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.mjs';

/**
 * Installs Debian packages.
 * @param {readonly string[]} packages
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 */
export async function aptInstall(packages, root, env) {
  const apt = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const missing = 'apt-get is not on the PATH';
  await runCommand('apt-get', ['update', '-qq'], { cwd: root, env: apt, missing });
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    cwd: root,
    env: apt,
    missing,
  });
}

/**
 * @param {string} command
 * @param {Record<string, string | undefined>} env
 */
export function onPath(command, env) {
  return (env['PATH'] ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
