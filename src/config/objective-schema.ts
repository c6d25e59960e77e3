import * as z from 'zod';
import { OBJECTIVE_MEASURES, type ObjectiveMeasure } from '../contracts/plan.ts';
import { PAID_KINDS } from '../core/call-kind.ts';
import { moneyText } from './money-text.ts';
import { scenarioName } from './traffic-names.ts';

type Bound = 'max' | 'min' | 'max_usd';

/** The key that bounds a measure. */
function boundOf(measure: ObjectiveMeasure): Bound {
  if (measure === 'goodput_rate' || measure === 'attainment_share') return 'min';
  return measure === 'usd_per_1000_good' ? 'max_usd' : 'max';
}

export const objective = z
  .strictObject({
    scenario: scenarioName.optional().describe('Name of one scenario …'),
    kind: z.enum(PAID_KINDS).optional().describe('… or all scenarios of a kind, each judged by itself.'),
    measure: z
      .enum(OBJECTIVE_MEASURES)
      .describe(
        'What is bounded. A call is good when it succeeds and meets every objective in ms on a time that it has: a plain call has no first token.',
      ),
    percentile: z
      .number()
      .gt(0)
      .lt(100)
      .optional()
      .describe('For measures in ms, which need one; the others have none.'),
    max: z
      .number()
      .min(0)
      .optional()
      .describe('Upper bound: ms, or a share from 0 to 1 for error_share and dropped_share.'),
    min: z
      .number()
      .min(0)
      .optional()
      .describe(
        'Lower bound: good calls per second for goodput_rate, good of sent from 0 to 1 for attainment_share.',
      ),
    max_usd: moneyText.optional().describe('Upper bound for usd_per_1000_good, quoted.'),
  })
  .superRefine((entry, context) => {
    const say = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    const { measure } = entry;
    if ((entry.scenario === undefined) === (entry.kind === undefined))
      say([], 'needs scenario or kind, and not both');
    const isTime = measure.endsWith('_ms');
    if (!isTime && entry.percentile !== undefined) say(['percentile'], `does not go with ${measure}`);
    if (isTime && entry.percentile === undefined)
      say(['percentile'], `must be given for ${measure}, such as 95`);
    const needed = boundOf(measure);
    for (const key of ['max', 'min', 'max_usd'] as const) {
      if (key === needed && entry[key] === undefined) say([key], `must be given for ${measure}`);
      if (key !== needed && entry[key] !== undefined)
        say([key], `does not go with ${measure}, which is bounded by ${needed}`);
    }
    for (const key of ['max', 'min'] as const) {
      if (measure.endsWith('_share') && (entry[key] ?? 0) > 1) say([key], 'must be a share from 0 to 1');
    }
  });
