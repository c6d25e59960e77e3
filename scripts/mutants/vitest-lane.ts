/**
 * A vitest that stays: runs in a copy of the tree, takes one run after the other from its parent and answers each.
 * Each run has worker processes of its own, as in `vitest run`; what stays is the set-up and the transformed modules.
 */
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { type VitestAnswer, type VitestAsk, vitestAsk } from './vitest-messages.ts';

/** How long is polled for what a mutant may never do. Tests of a sound tree give a loaded machine longer. */
const POLL_MS = 4_000;
/** How long a test may take that a mutant keeps from its end. */
const LONGEST_TEST_MS = 30_000;

// As `vitest run` does for itself.
Object.assign(process.env, { TEST: 'true', VITEST: 'true', NODE_ENV: 'test', ...process.env });

const vitest = await createVitest({
  watch: false,
  reporters: [{}],
  // What is kept on disk is keyed by path, and the copy is gone after the run.
  cache: false,
  fsModuleCache: false,
});
await vitest.standalone();
for (const { config } of vitest.projects) {
  config.testTimeout = Math.min(config.testTimeout, LONGEST_TEST_MS);
  config.expect = { ...config.expect, poll: { ...config.expect.poll, timeout: POLL_MS } };
}
const specifications = await vitest.globTestSpecifications();

async function run(ask: VitestAsk): Promise<VitestAnswer> {
  for (const path of ask.changed) vitest.invalidateFile(resolve(path));
  const wanted = specifications.filter(
    ({ moduleId, project }) =>
      moduleId === resolve(ask.file) && (ask.project === null || project.name === ask.project),
  );
  if (wanted.length === 0) return { passed: [], failed: [], said: [], errors: [`no test file ${ask.file}`] };
  if (ask.pattern === null) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(ask.pattern);
  // It answers with every file that it ever ran; one of an earlier run would be taken for this one's.
  vitest.state.filesMap.clear();
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const testModules = known.filter(({ moduleId }) => moduleId === resolve(ask.file));
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const names = (state: 'passed' | 'failed'): string[] =>
    tests.filter((test) => test.result().state === state).map((test) => test.fullName.replaceAll(' > ', ' '));
  const errors = testModules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
  ]);
  return {
    passed: names('passed'),
    failed: names('failed'),
    said: tests.flatMap((test) => test.result().errors?.map(({ message }) => message) ?? []),
    errors: [
      ...errors.map(({ message, stack }) => stack ?? message),
      ...unhandledErrors.map((error) =>
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      ),
    ],
  };
}

process.on('message', (message) => {
  run(vitestAsk.parse(message)).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ passed: [], failed: [], said: [], errors: [String(error)] }),
  );
});
process.once('disconnect', () => void vitest.close().finally(() => process.exit(0)));
process.send?.('ready');
