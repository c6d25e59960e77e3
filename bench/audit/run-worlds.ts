import { classesOf } from '../../test/support/fault-corpus.ts';
import type { BenchOptions } from './bench-options.ts';
import { runCallWorld } from './call-world.ts';
import { GROUPS, planOf } from './call-worlds.ts';
import { type Graded, gradeWorld } from './grade-world.ts';
import { honestPlan } from './honest-worlds.ts';
import { runReadWorld } from './read-world.ts';
import { MIX_NAMES, type MixName, readingsOf } from './reading-mixes.ts';

const HONEST_CALLS = 150;

export interface HonestRun {
  readonly mix: MixName;
  readonly seed: number;
  readonly calls: number;
  /** Share of the charged money that was judged to the digit or as within its bounds. */
  readonly checked: number;
  /** Why there is no conclusion; empty where there is one. */
  readonly inconclusive: readonly string[];
  readonly findings: readonly Graded[];
}

export interface Power {
  readonly graded: readonly Graded[];
  readonly honest: readonly HonestRun[];
}

/** Runs all worlds, so many at a time; `tell` hears of each that is over. Once `stopped` says so, no further one begins. */
export async function runWorlds(
  options: BenchOptions,
  tell: (line: string) => void,
  stopped: () => boolean = () => false,
): Promise<Power> {
  const { seeds, readings, instances, classes } = options;
  const graded: Graded[] = [];
  const honest: HonestRun[] = [];
  const wanted = (faults: string): boolean =>
    classes === null || faults.split(/[;,]/).some((part) => isOf(part.trim(), classes));
  const jobs: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (let honestSeed = seed; honestSeed <= options.honest; honestSeed += seeds) {
      const mix = MIX_NAMES[honestSeed % MIX_NAMES.length] ?? 'own';
      jobs.push({
        name: `honest ${mix} ${honestSeed}`,
        run: async () => {
          honest.push(await honestRun(honestSeed, mix));
        },
      });
    }
    for (const mix of readings) {
      // Where no answer tells its record, no fault of a single call can be told.
      for (const group of readingsOf(mix).request_id === 'headers' ? GROUPS : [])
        jobs.push({
          name: `${group} ${mix} ${seed}`,
          run: async () => {
            const plan = planOf(group, { seed, mix, instances, wanted });
            if (plan.phases.some(({ calls }) => calls.some(({ faults }) => faults !== null)))
              graded.push(...gradeWorld(await runCallWorld(plan)));
          },
        });
      jobs.push({
        name: `reads ${mix} ${seed}`,
        run: async () => {
          graded.push(...(await runReadWorld({ seed, mix, instances, wanted })));
        },
      });
    }
  }
  const waiting = jobs.values();
  await Promise.all(
    Array.from({ length: options.lanes }, async () => {
      for (const { name, run } of waiting) {
        if (stopped()) return;
        const started = performance.now();
        await run();
        tell(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
      }
    }),
  );
  return { graded, honest };
}

export async function honestRun(seed: number, mix: MixName): Promise<HonestRun> {
  const world = await runCallWorld(honestPlan(seed, mix, HONEST_CALLS));
  const { coverage, inconclusive, calls } = world.reconciliation;
  return {
    mix,
    seed,
    calls: calls.length,
    checked: (coverage.to_the_digit ?? 0) + (coverage.within_bounds ?? 0),
    inconclusive,
    findings: gradeWorld(world).filter(({ what }) => what === 'false'),
  };
}

function isOf(fault: string, classes: readonly string[]): boolean {
  return classesOf(fault).some((one) => classes.includes(one));
}
