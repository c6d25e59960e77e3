import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant } from '../../core/time.ts';

export interface KeptRunFacts {
  readonly began_ms: number;
  /** Four hexadecimal digits. */
  readonly tail?: string;
  readonly root?: string;
  readonly plan_hash?: string;
  readonly command?: 'audit' | 'run';
  readonly embedded?: boolean;
  readonly bill?: 'none';
  /** Null: it came to no verdict. */
  readonly exits?: readonly { readonly code: number; readonly why: string }[] | null;
  readonly charged?: string | null;
}

/** Writes what `keptRuns` reads of a run, and returns its id. */
export function writeKeptRun(out: string, facts: KeptRunFacts): string {
  const { began_ms, tail = '0000', root = 'http://gw.example', plan_hash = 'h', embedded = false } = facts;
  const at = formatInstant(began_ms);
  const id = `${at.replace(/\.\d+Z$/, 'Z').replaceAll(/[-:]/g, '')}-${tail}`;
  const dir = join(out, id);
  mkdirSync(dir, { recursive: true });
  const write = (name: string, value: unknown): void => writeFileSync(join(dir, name), JSON.stringify(value));
  write('plan.json', {
    created_at: at,
    plan_hash,
    target: { name: 'gw', root, embedded, bill: facts.bill },
    workload: { duration_ms: 60_000 },
  });
  write('command.json', { mode: facts.command ?? 'audit' });
  const { exits = [], charged = null } = facts;
  if (exits === null) return id;
  const money =
    charged === null
      ? null
      : { charged, expected: charged, difference: '0', certain_over: '0', certain_under: '0' };
  write('result.json', { exit_codes: exits, money });
  return id;
}
