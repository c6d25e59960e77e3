import { formatConfig } from '../../config/format-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Schedules } from '../../kubernetes/schedule-manifests.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { refuseLocalFiles } from './refuse-local-files.ts';
import { secretReferences } from './secret-references.ts';

export interface ScheduleRequest {
  readonly month: boolean;
  readonly nightly: 'audit' | 'run' | null;
  readonly image: string;
  readonly secret: string;
}

/** What the CronJobs need; reads nothing of the target. Throws `target_missing`, `spend_cap_needed` (exit 2). */
export function schedulesOf(config: ResolvedConfig, request: ScheduleRequest): Schedules {
  const target = planTarget(config.target);
  if (target === null) {
    throw new WeighbridgeError({
      code: 'target_missing',
      message: 'expected a target for the schedule, found none',
      hint: 'give the address that pods reach it at as --target, or target.url in the configuration',
    });
  }
  if (request.nightly === 'audit' && config.spend.max_usd === null) {
    throw new WeighbridgeError({
      code: 'spend_cap_needed',
      message: `expected the most that a night may spend on ${target.name}, found no limit`,
      hint: 'give --max-spend-usd 1.00, or spend.max_usd: "1.00" in the configuration',
    });
  }
  refuseLocalFiles(config, { podsPlan: request.nightly !== null });
  return {
    image: request.image,
    config: formatConfig(config),
    secret: {
      name: request.secret,
      credentials: ['api-key'],
      ...secretReferences(Object.values(config.target.headers)),
    },
    month: request.month ? target.root : null,
    nightly: request.nightly,
  };
}
