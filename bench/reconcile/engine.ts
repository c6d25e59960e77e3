import { z } from 'zod';

/**
 * `floor`: a bare DuckDB parse and join of the same files; `append`: ours once more, after lines were appended to the
 * files that it judged before; `again`: after nothing was.
 */
export const ENGINES = ['floor', 'ours', 'append', 'again', 'polars', 'pandas'] as const;
export type Engine = (typeof ENGINES)[number];

/** What an engine says of itself. */
export const measured = z.object({
  engine: z.enum(ENGINES),
  seconds: z.number(),
  cpu_seconds: z.number(),
  /** High-water mark of its resident memory. */
  peak_bytes: z.number(),
  result: z.string(),
  stages: z.array(z.object({ name: z.string(), seconds: z.number() })),
});
export type Measured = z.infer<typeof measured>;
