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
      message: 'The schedule needs a target, and none is given.',
      hint: 'Give with --target the address at which pods reach the gateway, or set target.url in the configuration.',
    });
  }
  if (request.nightly === 'audit' && config.spend.max_usd === null) {
    throw new WeighbridgeError({
      code: 'spend_cap_needed',
      message: `There is no limit on what a nightly run may spend on ${target.name}.`,
      hint: 'Give --max-spend-usd 1.00, or set spend.max_usd: "1.00" in the configuration.',
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
