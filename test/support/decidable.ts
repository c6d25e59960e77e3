import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Readings } from '../../src/gateway/readings/readings.ts';

const verdict = z.enum(['proved', 'bounded', 'no']);
type Verdict = z.infer<typeof verdict>;

const bound = {
  bound: z.string().nullable().default(null),
  /** What the bound is at most. */
  bound_usd: z.enum(['charge', 'reserve', 'longest_output', 'quantum']).nullable().default(null),
};

const table = z.array(
  z.strictObject({
    fault: z.string(),
    verdict,
    because: z.string(),
    ...bound,
    lowers: z.array(
      z.strictObject({
        /** Conditions that must all hold. */
        when: z.array(z.string()),
        to: verdict,
        /** The class that the fault is found as instead. */
        as: z.string().optional(),
        because: z.string(),
        ...bound,
      }),
    ),
  }),
);

/** Which planted fault can be told in which world; made by test/corpus/decidable/main.py. */
export const DECIDABLE = table.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../corpus/decidable/decidable.json'), 'utf8')),
);

const OF_FAULT = new Map(DECIDABLE.map((row) => [row.fault, row]));
const STRENGTH: Readonly<Record<Verdict, number>> = { no: 0, bounded: 1, proved: 2 };

/** Run: our own ledger. Month: records alone. Ledger: a foreign program's, without text. */
export type Manner = 'run' | 'month' | 'ledger';

export type Untold =
  | 'settling=untold'
  | 'key=shared'
  | 'scope=whole'
  | 'call=failed'
  | 'call=crowded'
  | 'call=reasoning_untold'
  | 'call=total_untold'
  | 'call=usage_untold'
  | 'call=name_unasked';

/** Names what holds in a world, as the table's conditions do. */
export function worldOf(readings: Readings, by: Manner, untold: readonly Untold[] = []): ReadonlySet<string> {
  const told = Object.entries(readings).map(([name, value]) => `${name}=${String(value)}`);
  // No document outside the gateway says how a factor by the hour is written.
  const isTold = readings.factor_told && readings.factor_by !== 'hour';
  const factor = readings.price_factor !== '1' && !isTold ? ['factor=untold'] : [];
  const nameless = isNameless(readings, by) ? ['request_id=errors_only'] : [];
  return new Set([...told, ...factor, ...nameless, ...untold, `by=${by}`]);
}

/** Whether nothing that an audit has of an answer names its request, unless it is an error. */
export function isNameless({ request_id }: Readings, by: Manner): boolean {
  if (request_id === 'errors_only' || request_id === 'nowhere') return true;
  // Another program notes the ids of documented headers alone.
  return by === 'ledger' && request_id !== 'headers' && request_id !== 'one_header';
}

export interface Decided {
  readonly verdict: Verdict;
  readonly because: string;
  readonly as?: string | undefined;
  readonly bound: string | null;
  readonly bound_usd: string | null;
}

/** Gives the weakest of a fault's verdicts in a world. Throws for a fault that the table does not know. */
export function decidableIn(fault: string, world: ReadonlySet<string>): Decided {
  const row = OF_FAULT.get(fault);
  if (row === undefined) throw new Error(`${fault}: no row of decidable.json`);
  const lowers = row.lowers.filter(({ when }) => when.every((one) => world.has(one)));
  const weakest = lowers
    .map(({ to, ...rest }): Decided => ({ verdict: to, ...rest }))
    .reduce<Decided>(
      (weakest, one) => (STRENGTH[one.verdict] < STRENGTH[weakest.verdict] ? one : weakest),
      row,
    );
  // The class holds whatever else lowers the verdict.
  const other = lowers.find(({ as }) => as !== undefined)?.as;
  return other === undefined ? weakest : { ...weakest, as: other };
}
