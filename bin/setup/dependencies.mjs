import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from './content-hash.mjs';
import { runCommand } from './run-command.mjs';

/**
 * Installs what package-lock.json pins. A stamp in node_modules holds the lock's hash, and goes with the folder.
 * @param {string} root
 * @returns {import('./step.mjs').Step}
 */
export function dependenciesStep(root) {
  const stamp = join(root, 'node_modules/.weighbridge-setup');
  const lock = join(root, 'package-lock.json');
  const hash = () => contentHash([lock], root);
  return {
    name: 'dependencies',
    isReady() {
      // A package that npm installed has no lock file, and its dependencies are there.
      if (!existsSync(lock)) return true;
      return existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === hash();
    },
    work: () => 'npm ci',
    async run() {
      await runCommand('npm', ['ci', '--no-audit', '--no-fund'], {
        cwd: root,
        missing: 'npm is not on the PATH: install Node 24 with npm from https://nodejs.org',
      });
      writeFileSync(stamp, `${hash()}\n`);
    },
  };
}
