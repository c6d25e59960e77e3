import type { Plan } from '../../contracts/plan.ts';
import type { Result } from '../../contracts/result.ts';
import { toolVersion } from '../words/tool-version.ts';
import { type Block, type Section, table } from './report-document.ts';

/** Where a run folder stands. */
export interface RunPlace {
  /** Its parent; null for that which `--out` has by default. */
  readonly out: string | null;
  readonly name: string;
}

/** The command that made a run folder: what shaped its calls and stands not in its configuration. */
export interface RanCommand {
  readonly mode: 'audit' | 'run';
  /** Of the search for the capacity; null where none was made. */
  readonly search: {
    readonly from: number;
    readonly step_ms: number;
    readonly resolution: number;
    readonly most_steps: number;
  } | null;
  /** Fixes the markers of the prompts; null where it was drawn. */
  readonly nonce: string | null;
  /** `scenario:NAME`, or the name of a copy in the run folder. */
  readonly faults: string | null;
  /** The name of a copy in the run folder. */
  readonly readings: string | null;
  /** `NAME=VALUE` of each reading that a flag gave. */
  readonly assumed: readonly string[];
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
  command: RanCommand | null = null,
): Section {
  const target = plan.target.embedded ? '' : ` --target ${quoted(plan.target.root)}`;
  const max = plan.target.embedded ? null : plan.cap.max_spend_usd;
  const cap = max === null ? '' : ` --max-spend-usd ${max}`;
  const keys = result.load?.keys === undefined ? '' : ' --key-file FILE …';
  const folder = `${place.out === null ? '' : ` --out ${quoted(place.out)}`} --run ${quoted(place.name)}`;
  const inFolder = (name: string): string => quoted(`${place.out ?? 'reports'}/${place.name}/${name}`);
  const shape =
    command === null ? oldSearch(plan, result) : `${given(command, inFolder)}${search(command.search)}`;
  const commands = [
    '# this report again, from the run folder: the same bytes',
    `weighbridge report${folder}`,
    ...(plan.target.bill === 'none'
      ? []
      : ['# the reconciliation again, from the files as they were read', `weighbridge reconcile${folder}`]),
    place.out === null
      ? '# the same calls again (reports/ is the default of --out)'
      : '# the same calls again',
    ...(max !== null && trialMade
      ? ['# the cap is what the trial left of the one of that run: the new trial needs its share again']
      : []),
    `weighbridge ${command?.mode ?? (plan.target.bill === 'none' ? 'run' : 'audit')} --config ${inFolder('config.yaml')}${target}${keys}${cap}${shape}`,
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
        ['weighbridge', toolVersion(result.tool)],
        ['k6', result.tool.k6 ?? 'not used'],
      ],
    ),
  ];
  return { id: 'repeat', title: 'How to repeat it', blocks };
}

function given({ nonce, faults, readings, assumed }: RanCommand, inFolder: (name: string) => string): string {
  const flags = [
    ...(nonce === null ? [] : [`--nonce ${quoted(nonce)}`]),
    ...(faults === null
      ? []
      : [`--faults ${faults.startsWith('scenario:') ? quoted(faults) : inFolder(faults)}`]),
    ...(readings === null ? [] : [`--readings ${inFolder(readings)}`]),
    ...assumed.map((each) => `--assume-reading ${quoted(each)}`),
  ];
  return flags.map((flag) => ` ${flag}`).join('');
}

/** The flags of a search for the capacity; it ends where it ended before only if the target is as it was. */
function search(made: RanCommand['search']): string {
  if (made === null) return '';
  const { from, step_ms, resolution, most_steps } = made;
  return ` --find-capacity --from ${from} --step ${step_ms}ms --resolution ${resolution} --most-steps ${most_steps}`;
}

/** Of a run folder whose command was not kept: what its files tell of a search. */
function oldSearch(plan: Plan, { capacity }: Result): string {
  const first = capacity?.steps[0];
  if (first === undefined) return '';
  return ` --find-capacity --from ${first.rate_scale} --step ${plan.workload.duration_ms}ms`;
}

/** For a POSIX shell. */
export function quoted(value: string): string {
  return /^[\w.:/@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
