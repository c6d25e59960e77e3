import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, onPath } from './apt.mjs';
import { contentHash } from './content-hash.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './step.mjs';

const VERSION = '4.32.5';
const PYTHON = ['python3', 'python3-venv'];
const NO_PYTHON =
  'the tests need python3 with venv (Schemathesis runs in one), and there is no apt-get to install it with: install python3 and python3-venv';

/**
 * Installs Schemathesis from PyPI into a virtual environment of its own under .cache/schemathesis, and names its command
 * in .cache/schemathesis/current. A virtual environment cannot be moved: the name is written when all of it is there.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step}
 */
export function schemathesisStep(root, env) {
  const cache = join(root, '.cache/schemathesis');
  const current = join(cache, 'current');
  const constraints = join(root, 'bin/setup/schemathesis-constraints.txt');
  const home = () => join(cache, `${VERSION}-${contentHash([constraints], root).slice(0, 8)}`);
  const command = () => join(home(), 'bin/schemathesis');
  const hasVenv = () =>
    runCommand('python3', ['-c', 'import ensurepip, venv'], { cwd: root, env }).then(
      () => true,
      () => false,
    );
  return {
    name: 'schemathesis',
    isReady() {
      if (!existsSync(current) || !existsSync(command())) return false;
      return readFileSync(current, 'utf8').trim() === command();
    },
    async check() {
      if (!(await hasVenv()) && !onPath('apt-get', env)) throw new SetupError(NO_PYTHON);
    },
    work: () =>
      `installing schemathesis ${VERSION} with pip into .cache (the gateway's description is held to it)`,
    async run() {
      if (!(await hasVenv())) await aptInstall(PYTHON, root, env);
      mkdirSync(cache, { recursive: true });
      const options = { cwd: root, env, missing: NO_PYTHON };
      await runCommand('python3', ['-m', 'venv', '--clear', home()], options);
      await runCommand(
        join(home(), 'bin/python3'),
        [
          ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
          ...['--constraint', constraints, `schemathesis==${VERSION}`],
        ],
        options,
      );
      writeFileSync(current, `${command()}\n`);
    },
  };
}
