import type { ResolvedTarget } from '../config/resolved-config.ts';
import { parseTarget, type TargetBases } from '../config/target-bases.ts';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { PlanTarget } from '../contracts/plan.ts';

/** The target that the configuration names, or null when it names none. */
export function planTarget(target: ResolvedTarget): PlanTarget | null {
  if (target.bases === null) return null;
  return {
    ...bases(target.bases),
    name: target.name ?? hostOf(target.bases),
    embedded: false,
    key: target.key,
    ...withHeaders(target),
  };
}

/** The embedded gateway that the command started at `baseUrl`; nobody else has its key. */
export function embeddedTarget(baseUrl: string): PlanTarget {
  const reading = parseTarget(baseUrl);
  if ('fault' in reading) {
    throw new WeighbridgeError({
      code: 'embedded_target',
      message: `the embedded gateway's address ${reading.fault}`,
      hint: 'This is a fault of ours: please report it.',
      exitCode: EXIT.internal,
    });
  }
  return { ...bases(reading.bases), name: 'embedded gateway', embedded: true, key: 'exclusive' };
}

function bases({ root, v1, api }: TargetBases): Pick<PlanTarget, 'root' | 'v1' | 'api'> {
  return { root, v1, api };
}

/** The headers that the configuration asks for. */
export function withHeaders({ headers }: Pick<ResolvedTarget, 'headers'>): Pick<PlanTarget, 'headers'> {
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function hostOf({ root }: TargetBases): string {
  return new URL(root).host;
}
