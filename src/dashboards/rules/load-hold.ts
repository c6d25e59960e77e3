import type { RecordingRule } from './alert-rule.ts';

/**
 * How long after its last sign a load run still excuses a target. The short windows of the alerts that page end within it: what
 * the run itself did has left them when they speak again.
 */
const HOLD = '30m';

const ACTIVE = 'target:weighbridge_load_run:active';

/**
 * k6 knows a target by its base address, the daemon by a name: `weighbridge_target_info` joins them. A run that names its target
 * as the daemon does is understood, too.
 */
export const LOAD_RUN_ACTIVE: RecordingRule = {
  record: ACTIVE,
  expr: (time) => {
    const seen = `max_over_time(k6_weighbridge_run_active[${time.span(HOLD)}])`;
    return `max by (target) (
  max by (base) (label_replace(${seen}, "base", "$1", "target", "(.*)"))
  * on (base) group_right () max by (base, target) (weighbridge_target_info)
  or
  max by (target) (${seen})
) > 0`;
  },
  meaning: `1 or more while a load run of ours is active on the target, and ${HOLD} beyond.`,
};

export function unlessLoading(expr: string): string {
  return `(\n${expr}\n)\nunless on (target) ${ACTIVE}`;
}
