import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** What packages with a service call in their scripts to enable and start it. */
const SERVICE_COMMANDS = ['invoke-rc.d', 'update-rc.d', 'deb-systemd-invoke', 'deb-systemd-helper'];
/** Where apt lets those scripts look for commands by default. */
const APT_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Installs Debian packages. Services that come with them are neither started nor enabled: the tests start their own.
 * @param {readonly string[]} packages
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 */
export async function aptInstall(packages, root, env) {
  const apt = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const missing = 'apt-get is not on the PATH';
  await runCommand('apt-get', ['update', '-qq'], { cwd: root, env: apt, missing });
  const path = `DPkg::Path=${serviceCommandsThatDoNothing(root)}:${APT_PATH}`;
  await runCommand('apt-get', ['install', '-y', '-qq', '-o', path, '--no-install-recommends', ...packages], {
    cwd: root,
    env: apt,
    missing,
  });
}

/** @param {string} root */
function serviceCommandsThatDoNothing(root) {
  const folder = join(root, '.cache', 'no-services');
  mkdirSync(folder, { recursive: true });
  for (const command of SERVICE_COMMANDS) {
    const file = join(folder, command);
    writeFileSync(file, '#!/bin/sh\nexit 0\n');
    chmodSync(file, 0o755);
  }
  return folder;
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
