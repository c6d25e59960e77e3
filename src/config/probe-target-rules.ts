import { NEGATIVE_RULES, type ProbeTarget } from '../contracts/probe-plan.ts';
import { formatDuration } from './duration.ts';
import { freeLacks, negativeLacks } from './free-probes.ts';
import { paidProbes } from './paid-probes.ts';
import { REMOTE_LIMITS, SHORTEST } from './probe-defaults.ts';
import { meansOf, type NamedTarget } from './resolve-probe-target.ts';

/** What is wrong, and under which key of the settings; none where it is the target as a whole. */
export interface TargetFault {
  readonly key: readonly string[];
  readonly rule: string;
}

/** Rules that need to know what a target can be asked with, and whose it is. */
export function targetFaults(
  named: NamedTarget,
  resolved: ProbeTarget,
  budget: 'needed' | 'optional',
): TargetFault[] {
  return [
    ...paidFaults(named, resolved, budget),
    ...freeFaults(named),
    ...negativeFaults(named),
    ...remoteFaults(named, resolved),
  ];
}

function paidFaults(
  { key, settings }: NamedTarget,
  { name, budget: limits }: ProbeTarget,
  budget: 'needed' | 'optional',
): TargetFault[] {
  const paid = paidProbes(settings);
  const [first] = paid;
  if (first === undefined) return [];
  const rest = paid.length === 1 ? '' : ` and ${paid.length - 1} more`;
  const what = `${name} has paid probes (${first.name}${rest})`;
  const faults: TargetFault[] = [];
  if (key === null)
    faults.push({ key: [], rule: `${what}, which need a key, such as env:WEIGHBRIDGE_API_KEY` });
  if (limits === null && budget === 'needed')
    faults.push({ key: [], rule: `${what}, which need a budget with usd_per_hour, usd_per_day` });
  return faults;
}

function freeFaults(named: NamedTarget): TargetFault[] {
  const means = meansOf(named);
  return (['models', 'pricebook', 'usage', 'usage_requests', 'account'] as const).flatMap((api) => {
    const every = named.settings.free?.[api];
    const lacks = every === undefined || every === 'off' ? null : freeLacks(api, means);
    return lacks === null ? [] : [{ key: ['free', api], rule: `${lacks}, which ${named.name} has not` }];
  });
}

function negativeFaults(named: NamedTarget): TargetFault[] {
  const { negative } = named.settings;
  if (negative === undefined) return [];
  const means = meansOf(named);
  const paid = paidProbes(named.settings);
  const faults: TargetFault[] = NEGATIVE_RULES.filter((rule) => negative.rules.includes(rule)).flatMap(
    (rule) => {
      const lacks = negativeLacks(rule, means, paid);
      return lacks === null
        ? []
        : [{ key: ['negative', 'rules'], rule: `${rule} ${lacks}, which ${named.name} has not` }];
    },
  );
  if (!means.loopback && negative.every !== undefined && negative.every < SHORTEST.negative_ms) {
    const shortest = formatDuration(SHORTEST.negative_ms);
    faults.push({
      key: ['negative', 'every'],
      rule: `must be ${shortest} or longer for ${named.name}, which is not loopback: refused credentials in a row can lock an address out`,
    });
  }
  return faults;
}

/** A target that is not loopback bears as much as it does from a load plan without a permission. */
function remoteFaults({ bases, name }: NamedTarget, { probes, concurrency }: ProbeTarget): TargetFault[] {
  if (bases.loopback) return [];
  const faults: TargetFault[] = [];
  if (concurrency > REMOTE_LIMITS.concurrency) {
    const rule = `must be at most ${REMOTE_LIMITS.concurrency} for ${name}, which is not loopback`;
    faults.push({ key: ['concurrency'], rule });
  }
  const perHour = probes.reduce((sum, { interval_ms: every }) => sum + 3_600_000 / every, 0);
  if (perHour > REMOTE_LIMITS.runs_per_second * 3_600) {
    const rule = `${name} would get ${(perHour / 3_600).toFixed(2)} runs a second, and ${REMOTE_LIMITS.runs_per_second} are the most on a target that is not loopback: lengthen \`every\``;
    faults.push({ key: [], rule });
  }
  return faults;
}
