import { z } from 'zod';

/** One run that a long-lived vitest is asked for. */
export const vitestAsk = z.object({
  file: z.string(),
  project: z.string().nullable(),
  pattern: z.string().nullable(),
  /** Paths in the tree whose content is not what it was in an earlier run. */
  changed: z.array(z.string()),
});
export type VitestAsk = z.infer<typeof vitestAsk>;

/** What came of it. Names are those of suites and test with a blank between, as `-t` sees them. */
export const vitestAnswer = z.object({
  passed: z.array(z.string()),
  failed: z.array(z.string()),
  /** What the failed tests said, in their order. */
  said: z.array(z.string()),
  /** Of a file that could not be loaded, of hooks, and of what no test caught. */
  errors: z.array(z.string()),
});
export type VitestAnswer = z.infer<typeof vitestAnswer>;
