/** What came of the tests of a stage. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of those that were not run. */
  readonly skipped: readonly string[];
}

export const NO_TESTS: Tally = { passed: 0, failed: 0, skipped: [] };
/** Of a check that is one test. */
export const PASSED: Tally = { ...NO_TESTS, passed: 1 };
export const FAILED: Tally = { ...NO_TESTS, failed: 1 };

export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: [...sum.skipped, ...skipped],
    }),
    NO_TESTS,
  );
}

/** The closing line: programs read `N passed, N failed` at its beginning. */
export function tallyWords({ passed, failed, skipped }: Tally): string {
  const left = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  return `${passed} passed, ${failed} failed${left}`;
}

export function stageLine(name: string, tally: Tally): string {
  const { passed, failed, skipped } = tally;
  const ran = failed > 0 ? 'FAIL' : passed === 0 && skipped.length > 0 ? 'not run' : 'pass';
  return `${ran}  ${name}: ${tallyWords(tally)}`;
}
