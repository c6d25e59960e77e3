import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ProcessStarters } from './test/support/starts-processes.ts';

/** Alerts at 600 times their pace: what else the machine does would fire some of them. */
const LIVE = ['test/e2e/live-alerts.test.ts'];

/** Most of these talk to a running gateway over HTTP: no unit tests, and a stage of their own. */
const GATEWAY = ['src/gateway/**/*.test.ts', 'test/requirements.test.ts'];

/** Packs, installs and audits as a user would: minutes, most of them of npm, Go and k6. */
const PACKAGE = ['test/package.test.ts', 'test/image.test.ts'];

const UNIT = ['src/**/*.test.ts', 'test/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

/** Those that start commands, ours and others: they need tools that not every machine has, and wait more than they compute. */
const starters = new ProcessStarters();
const COMMANDS = globSync(UNIT, { cwd: import.meta.dirname, exclude: [...GATEWAY, ...PACKAGE] }).filter(
  (file) => starters.has(resolve(import.meta.dirname, file)),
);

/** Ten times what the slowest test takes on a quiet machine: a busy one turns no test red. */
const limits = (slowest_s: number) => ({ testTimeout: slowest_s * 10_000, hookTimeout: slowest_s * 10_000 });

export default defineConfig({
  test: {
    reporters: ['default'],
    globalSetup: 'test/support/temporary-root.ts',
    // Vitest's own choice leaves a core free, which on two cores is one file after the other.
    maxWorkers: 2,
    // For the commands that tests start: stripping and compiling the sources is most of what a short one does.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/modules') },
    expect: { poll: { timeout: 100_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...GATEWAY, ...PACKAGE, ...COMMANDS],
          ...limits(20),
          // Its files share two processes and what these have loaded, as those of the gateway do: to load the gateway anew for
          // each file took longer than its tests. So a test takes back what it sets: clocks, spies, the environment.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'commands', include: COMMANDS, ...limits(40), isolate: false },
      },
      { extends: true, test: { name: 'gateway', include: GATEWAY, ...limits(20), isolate: false } },
      { extends: true, test: { name: 'package', include: PACKAGE, ...limits(120) } },
      { extends: true, test: { name: 'sdk', include: ['test/sdk/**/*.test.ts'], ...limits(4) } },
      {
        extends: true,
        test: { name: 'schemathesis', include: ['test/schemathesis/**/*.test.ts'], ...limits(30) },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], exclude: LIVE, ...limits(120) },
      },
      { extends: true, test: { name: 'live', include: LIVE, ...limits(200) } },
    ],
  },
});
