import type { Plan } from '../core/plan.ts';
import type { Result } from '../core/result.ts';
import type { Block, Section } from './report-document.ts';
import { table } from './report-document.ts';

/** Where a run folder stands. */
export interface RunPlace {
  /** Its parent; null for that which `--out` has by default. */
  readonly out: string | null;
  readonly name: string;
}

/**
 * How to get the same again. Target and cap of a gateway that is not ours are named in full: the command spends money.
 * `trialMade`: the plan's cap is what the trial left.
 */
export function repeatSection(
  plan: Plan,
  result: Result,
  trialMade: boolean,
  place: RunPlace = { out: null, name: plan.run_id },
): Section {
  const target = plan.target.embedded ? '' : ` --target ${quoted(plan.target.root)}`;
  const max = plan.target.embedded ? null : plan.cap.max_spend_usd;
  const cap = max === null ? '' : ` --max-spend-usd ${max}`;
  const folder = `${place.out === null ? '' : ` --out ${quoted(place.out)}`} --run ${quoted(place.name)}`;
  const config = `${place.out ?? 'reports'}/${place.name}/config.yaml`;
  const commands = [
    '# this report again, from the run folder: the same bytes',
    `weighbridge report${folder}`,
    '# the reconciliation again, from the files as they were read',
    `weighbridge reconcile${folder}`,
    place.out === null
      ? '# the same calls again (reports/ is the default of --out)'
      : '# the same calls again',
    ...(max !== null && trialMade
      ? ['# the cap is what the trial left of the one of that run: the new trial needs its share again']
      : []),
    `weighbridge audit --config ${quoted(config)}${target}${cap}${search(plan, result)}`,
  ];
  const blocks: readonly Block[] = [
    { type: 'code', text: commands.join('\n') },
    table(
      ['part', 'value'],
      [
        ['run', result.run_id],
        ['target', plan.target.embedded ? `${result.target} (embedded gateway)` : result.target],
        ['plan hash', plan.plan_hash],
        ['seed', String(plan.workload.seed)],
        ['weighbridge', result.tool.weighbridge],
        ['k6', result.tool.k6 ?? 'not used'],
      ],
    ),
  ];
  return { id: 'repeat', title: 'How to repeat it', blocks };
}

/** The flags of a search for the capacity; it ends where it ended before only if the target is as it was. */
function search(plan: Plan, { capacity }: Result): string {
  const first = capacity?.steps[0];
  if (first === undefined) return '';
  return ` --find-capacity --from ${first.rate_scale} --step ${plan.workload.duration_ms}ms`;
}

/** For a POSIX shell. */
function quoted(value: string): string {
  return /^[\w.:/@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
