import type { ResolvedTarget } from '../config/resolved-config.ts';
import { parseTarget, type TargetBases } from '../config/target-bases.ts';
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
    bill: 'served',
    ...mannersOf(target),
  };
}

/** The embedded gateway that the command started at `baseUrl`; nobody else has its key. */
export function embeddedTarget(baseUrl: string): PlanTarget {
  const reading = parseTarget(baseUrl);
  if ('fault' in reading) {
    throw new WeighbridgeError({
      code: 'embedded_target',
      message: `The address of the embedded gateway ${reading.fault}.`,
      hint: 'Please report this bug.',
    });
  }
  return {
    ...bases(reading.bases),
    name: 'embedded gateway',
    embedded: true,
    key: 'exclusive',
    bill: 'served',
  };
}

function bases({ root, v1, api }: TargetBases): Pick<PlanTarget, 'root' | 'v1' | 'api'> {
  return { root, v1, api };
}

/** How the configuration asks for it to be spoken to. */
export function mannersOf({
  headers,
  stream_end,
}: Pick<ResolvedTarget, 'headers' | 'stream_end'>): Pick<PlanTarget, 'headers' | 'stream_end'> {
  return {
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(stream_end === null ? {} : { stream_end }),
  };
}

function hostOf({ root }: TargetBases): string {
  return new URL(root).host;
}
