import { stringify } from 'yaml';
import { budgetOf } from '../../config/budget-schema.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';

/** The plan in force as YAML. It holds references to credentials and no credential; amounts are decimal USD. */
export function maskedConfig({ listen, targets, ...rest }: ProbePlan): string {
  return stringify(
    {
      probe: {
        listen,
        ...rest,
        targets: targets.map(({ budget, ...target }) => ({
          ...target,
          budget: budget && budgetOf(budget),
        })),
      },
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
