import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, onPath } from './apt.mjs';
import { contentHash } from './content-hash.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './step.mjs';

const PYTHON = ['python3', 'python3-venv'];

/**
 * Installs a package from PyPI, with the versions that `bin/setup/<name>-constraints.txt` fixes, into a virtual
 * environment of its own under .cache/<name>, and names its command in .cache/<name>/current. A virtual environment
 * cannot be moved: the name is written when all of it is there.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @param {{ name: string, title: string, version: string, why: string }} tool
 * @returns {import('./step.mjs').Step}
 */
export function pythonToolStep(root, env, { name, title, version, why }) {
  const cache = join(root, '.cache', name);
  const current = join(cache, 'current');
  const constraints = join(root, `bin/setup/${name}-constraints.txt`);
  const noPython = `the tests need python3 with venv (${title} runs in one), and there is no apt-get to install it with: install python3 and python3-venv`;
  const home = () => join(cache, `${version}-${contentHash([constraints], root).slice(0, 8)}`);
  const command = () => join(home(), 'bin', name);
  const hasVenv = () =>
    runCommand('python3', ['-c', 'import ensurepip, venv'], { cwd: root, env }).then(
      () => true,
      () => false,
    );
  return {
    name,
    isReady() {
      if (!existsSync(current) || !existsSync(command())) return false;
      return readFileSync(current, 'utf8').trim() === command();
    },
    async check() {
      if (!(await hasVenv()) && !onPath('apt-get', env)) throw new SetupError(noPython);
    },
    work: () => `installing ${name} ${version} with pip into .cache (${why})`,
    async run() {
      if (!(await hasVenv())) await aptInstall(PYTHON, root, env);
      mkdirSync(cache, { recursive: true });
      const options = { cwd: root, env, missing: noPython };
      await runCommand('python3', ['-m', 'venv', '--clear', home()], options);
      await runCommand(
        join(home(), 'bin/python3'),
        [
          ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
          ...['--constraint', constraints, `${name}==${version}`],
        ],
        options,
      );
      writeFileSync(current, `${command()}\n`);
    },
  };
}
