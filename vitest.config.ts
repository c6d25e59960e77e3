import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Alerts at 600 times their pace: what else the machine does would fire some of them. */
const LIVE = ['test/e2e/live-alerts.test.ts'];

/** Most of these talk to a running gateway over HTTP: no unit tests, and a stage of their own. */
const GATEWAY = ['src/gateway/**/*.test.ts', 'test/requirements.test.ts'];

/** Packs, installs and audits as a user would: minutes, most of them of npm, Go and k6. */
const PACKAGE = ['test/package.test.ts', 'test/image.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default'],
    // Vitest's own choice leaves a core free, which on two cores is one file after the other.
    maxWorkers: 2,
    // For the commands that tests start: stripping and compiling the sources is most of what a short one does.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/modules') },
    // A loaded machine may take longer than the second that is allowed by default.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...GATEWAY, ...PACKAGE],
          testTimeout: 20_000,
          // Its files share two processes and what these have loaded, as those of the gateway do: to load the gateway anew for
          // each file took longer than its tests. So a test takes back what it sets: clocks, spies, the environment.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'gateway', include: GATEWAY, testTimeout: 20_000, isolate: false } },
      {
        extends: true,
        test: { name: 'package', include: PACKAGE, testTimeout: 20_000, hookTimeout: 60_000 },
      },
      { extends: true, test: { name: 'sdk', include: ['test/sdk/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: { name: 'schemathesis', include: ['test/schemathesis/**/*.test.ts'], testTimeout: 300_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: LIVE,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'live', include: LIVE, testTimeout: 420_000, hookTimeout: 60_000 } },
    ],
  },
});
