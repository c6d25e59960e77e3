import { z } from 'zod';
import { formatInstant, parseInstant } from '../../core/time.ts';

/** 10⁻¹² USD, as digits: no float ever holds an amount. */
const pico = z
  .string()
  .regex(/^\d{1,40}$/)
  .transform(BigInt);
const instant = z.string().transform((text, context) => {
  const ms = parseInstant(text);
  if (ms !== null) return ms;
  context.addIssue({ code: 'custom', message: 'expected a moment' });
  return z.NEVER;
});

export const BUDGET_SCHEMA = 'weighbridge.budget/1';

/** What a budget file says behind its first line; docs/state.md explains it. */
export const budgetLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reserved'), id: z.string(), at: instant, worst_pusd: pico }),
  z.strictObject({ kind: z.literal('settled'), id: z.string(), cost_pusd: pico }),
  z.strictObject({ kind: z.literal('hour'), start: instant, settled_pusd: pico }),
  z.strictObject({ kind: z.literal('floor'), start: instant }),
]);
export type BudgetLine = z.infer<typeof budgetLine>;

/** Writes a line so that `budgetLine` reads it back. */
export function writtenBudgetLine(line: BudgetLine): object {
  switch (line.kind) {
    case 'reserved':
      return { ...line, at: formatInstant(line.at), worst_pusd: String(line.worst_pusd) };
    case 'settled':
      return { ...line, cost_pusd: String(line.cost_pusd) };
    case 'hour':
      return { ...line, start: formatInstant(line.start), settled_pusd: String(line.settled_pusd) };
    case 'floor':
      return { ...line, start: formatInstant(line.start) };
  }
}
