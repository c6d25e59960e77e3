import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { SetupError } from './step.mjs';

/** What the tests use beside npm and Go packages: the command that must be on the PATH, and Debian's package of it. */
const TOOLS = [
  { name: 'chromium', command: 'chromium', packages: ['chromium'], why: 'report pages are opened in it' },
  { name: 'C compiler', command: 'gcc', packages: ['gcc', 'libc6-dev'], why: 'go test -race needs one' },
];

/**
 * What the tests need beyond what the command needs, in the order in which it is set up.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step[]}
 */
export function testSteps(root, env) {
  return TOOLS.map(({ name, command, packages, why }) => ({
    name,
    isReady: () => onPath(command, env),
    async check() {
      if (!onPath('apt-get', env)) {
        throw new SetupError(
          `the tests need ${command} (${why}), and there is no apt-get to install it with: install ${command}`,
        );
      }
    },
    work: () => `installing ${packages.join(', ')} with apt-get (${why})`,
    async run() {
      const apt = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
      const missing = 'apt-get is not on the PATH';
      await runCommand('apt-get', ['update', '-qq'], { cwd: root, env: apt, missing });
      await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
        cwd: root,
        env: apt,
        missing,
      });
    },
  }));
}

/**
 * @param {string} command
 * @param {Record<string, string | undefined>} env
 */
function onPath(command, env) {
  return (env['PATH'] ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
