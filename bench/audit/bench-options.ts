import { parseArgs } from 'node:util';
import { isMixName, MIX_NAMES, type MixName } from './reading-mixes.ts';

export interface BenchOptions {
  readonly seeds: number;
  readonly readings: readonly MixName[];
  /** Only faults of these classes; null for all. */
  readonly classes: readonly string[] | null;
  /** Of each planting in each world. */
  readonly instances: number;
  readonly honest: number;
  /** Worlds of random readings, half of them with faults; the part abroad. */
  readonly abroad: number;
  readonly abroad_seed: number;
  /** Worlds at a time. */
  readonly lanes: number;
  readonly json: boolean;
}

export const USAGE = `npm run bench:audit -- [--quick] [--seeds N] [--readings ${MIX_NAMES.slice(0, 2).join(',')},…]
    [--classes duplicate_charge,…] [--instances N] [--honest N] [--lanes N] [--json]
    [--abroad N] [--abroad-seed N]`;

/** Reads the command line; throws what is wrong with it. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      readings: { type: 'string' },
      classes: { type: 'string' },
      instances: { type: 'string' },
      honest: { type: 'string' },
      abroad: { type: 'string' },
      'abroad-seed': { type: 'string', default: '1' },
      lanes: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  return {
    seeds: countOf('--seeds', values.seeds ?? (quick ? '1' : '5')),
    readings: values.readings?.split(',').map(mixNamed) ?? (quick ? MIX_NAMES.slice(0, 2) : MIX_NAMES),
    classes: values.classes?.split(',') ?? null,
    instances: countOf('--instances', values.instances ?? '2'),
    honest: countOf('--honest', values.honest ?? (quick ? '2' : '20')),
    abroad: countOf('--abroad', values.abroad ?? (quick ? '12' : '300')),
    abroad_seed: countOf('--abroad-seed', values['abroad-seed']),
    lanes: Math.max(1, countOf('--lanes', values.lanes)),
    json: values.json,
  };
}

function mixNamed(text: string): MixName {
  if (isMixName(text)) return text;
  throw new Error(`--readings: expected some of ${MIX_NAMES.join(', ')}, found ${text}`);
}

function countOf(flag: string, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new Error(`${flag}: expected a whole number, found ${text}`);
}
