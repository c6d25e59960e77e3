import type { KnipConfig } from 'knip';

/** Files that run, marked by an exclamation mark where no test is needed for it: `knip --production` asks what these use. */
const config: KnipConfig = {
  entry: [
    'bin/*.mjs!',
    'src/cli/main.ts!',
    'src/record/record.ts!',
    '{scenarios,xk6/examples}/*.ts!',
    'scripts/*.ts!',
    'bench/*/main.ts!',
    // Started by path, as threads, processes or k6 scripts, which no import tells.
    'src/probe/audit/judge-thread-entry.ts!',
    'scripts/mutants/vitest-lane.ts!',
    // Loaded by StrykerJS.
    'scripts/mutate/{drawn-checker,vitest.config}.ts!',
    'bench/{engine/scenarios,peers/scripts}/*.ts!',
    'bench/gateway/{books,servers/*}.ts!',
    'bench/probe/{at-once,bare-call,bare-calls}.ts!',
    'bench/reconcile/measure-engine.ts!',
    'test/support/live/live-daemon-child.ts',
    'test/support/serve-gateway.ts',
    'test/kept-folders/write-golden.ts',
  ],
  project: [
    '{bin,bench,scenarios,scripts,src,xk6}/**/*.{ts,mjs}!',
    'test/**/*.ts',
    '!**/*.{test,test-support}.ts!',
    // Nothing of it is shipped: its lint and its selectors are there for its tests.
    '!src/dashboards/**!',
  ],
  // A test may name a constant or a step of a file; what the file itself does not use either has no place in it.
  ignoreExportsUsedInFile: process.argv.includes('--production'),
  ignoreDependencies: [
    // Modules inside k6.
    'k6',
    // Read as files, not imported: the charts of a report, and the audit of a page.
    'uplot',
    'axe-core',
  ],
  // What tests hold a closed list, a committed schema and the SQL of prices to.
  ignoreIssues: {
    'src/{probe/observe/observe-run,gateway/latency/read-latency,pricebook/cells/price-cell}.ts': [
      'exports',
      'types',
    ],
  },
  // Commands of the system: set-up and `doctor` look for them.
  exclude: ['binaries'],
};

export default config;
