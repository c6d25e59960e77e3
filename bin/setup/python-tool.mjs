import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
 * @param {{ name: string, title: string, version: string, why: string, least?: number, command?: string, extras?: string, beside?: readonly string[] }} tool
 *   `least`: of Python 3, the minor version. `command`: what is named, by default that of its name. `extras`: such as `[proxy]`. `beside`: packages in the same environment.
 * @returns {import('./step.mjs').Step}
 */
export function pythonToolStep(
  root,
  env,
  { name, title, version, why, least = 0, command: file = name, extras = '', beside = [] },
) {
  const cache = join(root, '.cache', name);
  const current = join(cache, 'current');
  const constraints = join(root, `bin/setup/${name}-constraints.txt`);
  const needed = least === 0 ? 'python3' : `Python 3.${least} or newer`;
  const noPython = `the tests need ${needed} with venv (${title} runs in one), and there is no apt-get to install it with: install python3 and python3-venv`;
  const home = () => join(cache, `${version}-${contentHash([constraints], root).slice(0, 8)}`);
  const command = () => join(home(), 'bin', file);
  const python = () =>
    firstThatRuns(
      pythons(env, least),
      `import ensurepip, venv, sys; assert sys.version_info >= (3, ${least})`,
    );
  /** @param {readonly string[]} commands @param {string} code */
  const firstThatRuns = async (commands, code) => {
    for (const command of commands) {
      const runs = runCommand(command, ['-c', code], { cwd: root, env });
      if (
        await runs.then(
          () => true,
          () => false,
        )
      )
        return command;
    }
    return null;
  };
  return {
    name,
    isReady() {
      if (!existsSync(current) || !existsSync(command())) return false;
      return readFileSync(current, 'utf8').trim() === command();
    },
    async check() {
      if ((await python()) === null && !onPath('apt-get', env)) throw new SetupError(noPython);
    },
    work: () => `installing ${name} ${version} with pip into .cache (${why})`,
    async run() {
      if ((await python()) === null) await aptInstall(PYTHON, root, env);
      const chosen = await python();
      if (chosen === null)
        throw new SetupError(`The tests need ${needed} with venv, to run ${title}. Install it.`);
      mkdirSync(cache, { recursive: true });
      const options = { cwd: root, env, missing: noPython };
      await runCommand(chosen, ['-m', 'venv', '--clear', home()], options);
      await runCommand(
        join(home(), 'bin/python3'),
        [
          ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
          ...['--constraint', constraints, ...beside, `${name}${extras}==${version}`],
        ],
        options,
      );
      writeFileSync(current, `${command()}\n`);
    },
  };
}

/**
 * Commands that may be a Python of at least 3.`least`: the one of the system first, then others on the PATH and those of pyenv.
 * @param {Record<string, string | undefined>} env
 * @param {number} least
 */
function pythons(env, least) {
  if (least === 0) return ['python3'];
  const versions = join(env['HOME'] ?? '', '.pyenv/versions');
  const installed = existsSync(versions) ? readdirSync(versions).sort() : [];
  const named = Array.from({ length: 6 }, (_, more) => `python3.${least + more}`);
  return ['python3', ...named, ...installed.map((name) => join(versions, name, 'bin/python3'))];
}
