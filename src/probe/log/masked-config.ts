import { stringify } from 'yaml';
import { budgetOf } from '../../config/budget-schema.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import { formatAmount } from '../../core/amount.ts';

/** The plan in force as YAML. It holds references to credentials and no credential; amounts are decimal USD. */
export function maskedConfig({ listen, targets, ...rest }: ProbePlan): string {
  return stringify(
    {
      probe: {
        listen,
        ...rest,
        targets: targets.map(({ budget, assumed_run_usd: assumed, ...target }) => ({
          ...target,
          budget: budget && budgetOf(budget),
          assumed_run_usd: assumed === null ? null : formatAmount(assumed),
        })),
      },
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
