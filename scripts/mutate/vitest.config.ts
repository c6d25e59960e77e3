import { defineConfig } from 'vitest/config';

/** Names the tests that fill a database: each takes longer than all others together, and most mutants would run them. */
const WITH_DATABASE = 'src/reconcile/clean-rows/{accept*,kept-acceptance,reconcile-in-store}.test.ts';

/** Runs the unit tests of the two folders as StrykerJS asks for them. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/temporary-root.ts',
    include: ['src/{pricebook,reconcile}/**/*.test.ts'],
    exclude: [WITH_DATABASE],
    testTimeout: 200_000,
    // As in the project `unit`: one process loads the sources once for all files.
    isolate: false,
  },
});
