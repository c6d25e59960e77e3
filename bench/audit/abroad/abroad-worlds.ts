import { NO_TERMS } from '../../../src/contracts/billing-terms.ts';
import type { Reconciliation } from '../../../src/contracts/reconciliation.ts';
import { type Readings, readingsSchema } from '../../../src/gateway/readings/readings.ts';
import type { Manner, Untold } from '../../../test/support/decidable.ts';
import { AT_ONCE, runCallWorld } from '../call-world.ts';
import { pairWorlds } from '../lawful-worlds.test-support.ts';
import { abroadPlan } from './abroad-plan.ts';
import { type GradedAudit, gradeAbroad } from './grade-abroad.ts';
import { judgeManners, MANNERS } from './judge-manners.ts';
import { SHADOW_AUDITORS } from './shadow-auditors.ts';

/** One world abroad: a gateway with these readings, honest or with faults planted. */
export interface AbroadWorld {
  readonly seed: number;
  readonly readings: Readings;
  readonly planted: boolean;
}

export interface JudgedAbroad extends AbroadWorld {
  readonly calls: number;
  /** Ours, and what each shadow would have said, by its name. */
  readonly audits: readonly GradedAudit[];
  readonly shadows: Readonly<Record<string, readonly GradedAudit[]>>;
}

/**
 * So many worlds in an order that the seed draws: each lawful pair of readings stands in an honest one and in one with
 * faults, then again in others.
 */
export function abroadWorlds(seed: number, count: number): readonly AbroadWorld[] {
  const worlds: AbroadWorld[] = [];
  for (let round = 0; worlds.length < count; round += 1) {
    for (const pairs of pairWorlds(seed + round)) {
      const readings = readingsSchema.parse(pairs);
      for (const planted of [false, true])
        worlds.push({ seed: seed * 10_000 + worlds.length, readings, planted });
    }
  }
  return worlds.slice(0, count);
}

/** Runs a world and has it audited in each manner. `folder` keeps its files. */
export async function judgeAbroad(
  { seed, readings, planted }: AbroadWorld,
  { calls, folder }: { readonly calls: number; readonly folder: string },
): Promise<JudgedAbroad> {
  const plan = abroadPlan(seed, { readings, calls, planted });
  const { fired, ended } = await runCallWorld(plan, folder);
  // Where no word says that an amount is final, nobody declares when it is.
  const isOpen = readings.values === 'never_settled';
  const judged = await judgeManners(folder, isOpen ? NO_TERMS : AT_ONCE);
  const untold: readonly Untold[] = isOpen ? ['settling=untold'] : [];
  const graded = (auditor: (ours: Reconciliation) => Reconciliation): readonly GradedAudit[] =>
    MANNERS.map((manner: Manner) =>
      gradeAbroad({ plan, fired, ended }, manner, auditor(judged[manner]), untold),
    );
  return {
    seed,
    readings,
    planted,
    calls: ended.length,
    audits: graded((ours) => ours),
    shadows: Object.fromEntries(
      Object.entries(SHADOW_AUDITORS).map(([name, shadow]) => [name, graded(shadow)]),
    ),
  };
}
