import { aptInstall, onPath } from './apt.mjs';
import { focusValidatorStep } from './focus-validator.mjs';
import { kubernetesValidateStep } from './kubernetes-validate.mjs';
import { litellmStep } from './litellm.mjs';
import { locustStep } from './locust.mjs';
import { openaiStep } from './openai.mjs';
import { schemathesisStep } from './schemathesis.mjs';
import { SetupError } from './step.mjs';

/** What the tests use beside npm and Go packages: the command that must be on the PATH, and Debian's package of it. */
const TOOLS = [
  { name: 'chromium', command: 'chromium', packages: ['chromium'], why: 'report pages are opened in it' },
  { name: 'C compiler', command: 'gcc', packages: ['gcc', 'libc6-dev'], why: 'go test -race needs one' },
  {
    name: 'ffprobe',
    command: 'ffprobe',
    packages: ['ffmpeg'],
    why: 'videos of the gateway are read with it',
  },
  {
    name: 'Prometheus',
    command: 'promtool',
    packages: ['prometheus'],
    why: 'metrics, rules and alerts are held to it',
  },
  {
    name: 'systemd',
    command: 'systemd-analyze',
    packages: ['systemd'],
    why: 'the units of scheduled runs are verified with it',
  },
  { name: 'zsh', command: 'zsh', packages: ['zsh'], why: 'the completion is tried in it' },
  { name: 'fish', command: 'fish', packages: ['fish'], why: 'the completion is tried in it' },
];

/**
 * What the tests need beyond what the command needs, in the order in which it is set up.
 * @param {string} root
 * @param {Record<string, string | undefined>} env
 * @returns {import('./step.mjs').Step[]}
 */
export function testSteps(root, env) {
  const tools = TOOLS.map(({ name, command, packages, why }) => ({
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
    run: () => aptInstall(packages, root, env),
  }));
  return [
    ...tools,
    schemathesisStep(root, env),
    focusValidatorStep(root, env),
    kubernetesValidateStep(root, env),
    litellmStep(root, env),
    openaiStep(root, env),
    locustStep(root, env),
  ];
}
