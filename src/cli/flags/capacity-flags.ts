import type { Command } from 'commander';
import type { CapacityBounds } from '../../app/capacity/capacity-search.ts';
import { parseDuration } from '../../config/duration.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** The flags of the search for the capacity. */
export interface CapacityFlags {
  readonly findCapacity?: boolean;
  readonly from?: string;
  readonly step?: string;
  readonly resolution?: string;
  readonly mostSteps?: string;
}

const DEFAULT = { from: '1', step: '60s', resolution: '0.05', mostSteps: '12' } as const;

export function capacityOptions(command: Command): Command {
  return command
    .option('--find-capacity', 'find the highest rate at which every objective is met')
    .option(
      '--from <x>',
      `with --find-capacity: factor for the rates of the first step (default: ${DEFAULT.from})`,
    )
    .option('--step <time>', `with --find-capacity: duration of each step (default: ${DEFAULT.step})`)
    .option(
      '--resolution <share>',
      `with --find-capacity: precision of the result, as a share of the rate (default: ${DEFAULT.resolution})`,
    )
    .option('--most-steps <n>', `with --find-capacity: most steps (default: ${DEFAULT.mostSteps})`);
}

export interface CapacitySearch {
  readonly bounds: CapacityBounds;
  /** As `--duration` takes it: the length of each step. */
  readonly step: string;
}

/** Null without --find-capacity. Throws WeighbridgeError (exit 2) where a flag is not what it should be. */
export function capacitySearch(flags: CapacityFlags, duration: string | undefined): CapacitySearch | null {
  if (flags.findCapacity !== true) {
    for (const [name, value] of Object.entries({
      '--from': flags.from,
      '--step': flags.step,
      '--resolution': flags.resolution,
      '--most-steps': flags.mostSteps,
    })) {
      if (value !== undefined) throw badFlag(`${name} ${value} needs --find-capacity.`);
    }
    return null;
  }
  if (duration !== undefined)
    throw badFlag('--duration cannot be used with --find-capacity. Give --step instead.');
  const step = flags.step ?? DEFAULT.step;
  const stepMs = parseDuration(step);
  if (stepMs === null || stepMs < 1000) throw wrong('--step', 'a duration from 1s up, such as 30s', step);
  return {
    step,
    bounds: {
      from: numberOf('--from', flags.from ?? DEFAULT.from, 0.000001, 100_000),
      resolution: numberOf('--resolution', flags.resolution ?? DEFAULT.resolution, 0.001, 0.5),
      mostSteps: wholeOf('--most-steps', flags.mostSteps ?? DEFAULT.mostSteps, 1, 100),
    },
  };
}

/** A search makes the planned load again and again: no number of calls holds for all of it. */
export function refuseCounted(search: CapacitySearch | null, { spend }: Pick<ResolvedConfig, 'spend'>): void {
  const counted = spend.max_calls ?? spend.assume_usd_per_call;
  if (search !== null && counted !== null)
    throw badFlag(
      `--find-capacity cannot be used with --max-calls or --assume-usd-per-call (found ${counted}).`,
    );
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(name, `a number from ${least} to ${most} with at most 6 decimals`, text);
}

function wholeOf(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(name, `a whole number from ${least} to ${most}`, text);
}

function wrong(name: string, expected: string, found: string): WeighbridgeError {
  return badFlag(`${name} must be ${expected}, but it is ${found}.`);
}

function badFlag(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bad_flag',
    message,
    hint: 'Run weighbridge run --help. It lists every flag.',
  });
}
