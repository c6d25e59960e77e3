import { relative } from 'node:path';
import { z } from 'zod';
import { FAILED, type Tally } from './tally.ts';

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** What vitest's JSON reporter wrote; a run that failed otherwise than by a test counts as one failure. */
export function readVitestReport(text: string, status: number, root: string): Tally {
  const report = vitestReport.safeParse(text === '' ? null : JSON.parse(text));
  if (!report.success) return FAILED;
  const tests = report.data.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((each) => ({ ...each, name: `${relative(root, name)} ${each.fullName}` })),
  );
  const of = (wanted: string) => tests.filter((each) => each.status === wanted);
  const failed = of('failed').length;
  return {
    passed: of('passed').length,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: tests.filter((each) => !['passed', 'failed'].includes(each.status)).map(({ name }) => name),
  };
}
