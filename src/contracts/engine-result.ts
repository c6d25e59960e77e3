import { z } from 'zod';
import { HALT_REASONS } from './ledger-lines.ts';
import { wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** One k6 of a run that several made together. */
export const engineSchema = z.strictObject({
  /** Names its ledger files and its calls. */
  instance: z.string(),
  /** Its part of the run, such as `1/3:2/3`; null where it was given none. */
  segment: z.string().nullable(),
  /** CPU cores that it had; null where its ledger does not say. */
  cores: wholeCount.nullable(),
  /** The zero of its schedule by its own clock; null where it began none. */
  began_at: z.string().nullable(),
  /** How long after the first one that was. */
  skew_ms: z.number().nullable(),
  /** Its starts in all phases. */
  planned: wholeCount,
  started: wholeCount,
  schedule_lag_p99_ms: z.number().nullable(),
  cpu_max: z.number().nullable(),
  rows_lost: wholeCount,
  /** False where its ledger breaks off: it was killed, or still ran. */
  closed: z.boolean(),
  /** Why it started no further call; null where it made all that was planned. */
  halted: z.enum(HALT_REASONS).nullable(),
});
export type EngineResult = Shape<typeof engineSchema>;
