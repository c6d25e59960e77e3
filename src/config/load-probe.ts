import { dirname, resolve } from 'node:path';
import { NEGATIVE_RULES, type ProbePlan, type ProbeTarget } from '../contracts/probe-plan.ts';
import { DEFAULT_STATE } from '../contracts/target-folder-name.ts';
import type { ConfigFile } from './config-schema.ts';
import { formatDuration, msOf } from './duration.ts';
import { freeLacks, negativeLacks } from './free-probes.ts';
import { readSetting } from './layers.ts';
import { type ListenAddress, listenAddress, parseListenAddress } from './listen-address.ts';
import { type ConfigRequest, configPath, readConfigFile } from './load-config.ts';
import { paidProbes } from './paid-probes.ts';
import { PROBE_DEFAULTS, REMOTE_LIMITS, SHORTEST } from './probe-defaults.ts';
import type { ProbeFile } from './probe-schema.ts';
import { type EmbeddedTarget, type PlacedTarget, placedTargets } from './probe-targets.ts';
import { configInvalid, formatPath, type Problem } from './problem.ts';
import { placeInFile } from './read-yaml.ts';
import { meansOf, type NamedTarget, resolveProbeTarget } from './resolve-probe-target.ts';
import { type TargetBases, targetUrl } from './target-bases.ts';

export interface ProbeRequest extends Omit<ConfigRequest, 'flags'> {
  readonly flags: {
    /** Watched alone, in place of every target that is configured. */
    readonly target?: string | undefined;
    readonly listen?: string | undefined;
    readonly state?: string | undefined;
  };
  /** Watched where nothing else is named. */
  readonly embedded: EmbeddedTarget | null;
  /** Whether paid probes need one: a dry run is asked what it must be. */
  readonly budget: 'needed' | 'optional';
}

const HINT =
  'Correct each line and run again; `weighbridge probe --dry-run` needs no budget and prints what the plan costs.';

/** True where neither flag, environment nor file names a gateway, so that the embedded one is watched. */
export function watchesEmbedded(request: Omit<ProbeRequest, 'embedded' | 'budget'>): boolean {
  const file = readConfigFile(configPath(request));
  return flagTarget(request, []) === undefined && !namesTarget(file);
}

/** Resolves the `probe:` section. Throws `config_invalid` or `config_missing` (exit 2). */
export function loadProbePlan(request: ProbeRequest): ProbePlan {
  const cwd = request.cwd ?? process.cwd();
  const path = configPath(request);
  const file = readConfigFile(path);
  const problems: Problem[] = [];
  const listen = readSetting('--listen', request.flags.listen, listenAddress, problems);
  const target = flagTarget(request, problems);
  const placed = placedTargets({ file, env: request.env, cwd, target, embedded: request.embedded });
  const targets = placed.map((each) => {
    const resolved = resolveProbeTarget(each.target, path);
    for (const { key, rule } of targetFaults(each.target, resolved, request.budget))
      problems.push(problemAt(path, each, key, rule));
    return resolved;
  });
  if (problems.length > 0) throw configInvalid(problems, HINT);
  const section: ProbeFile = file.probe ?? {};
  return {
    listen: listenOf(section, listen, dirname(path)),
    targets,
    series_limit: section.series_limit ?? PROBE_DEFAULTS.series_limit,
    reconcile_ms: section.reconcile ?? msOf(PROBE_DEFAULTS.reconcile),
    drain_ms: section.drain ?? msOf(PROBE_DEFAULTS.drain),
    state_dir: resolve(cwd, request.flags.state ?? DEFAULT_STATE),
  };
}

function flagTarget(
  { flags, env }: Pick<ProbeRequest, 'flags' | 'env'>,
  problems: Problem[],
): TargetBases | undefined {
  return (
    readSetting('--target', flags.target, targetUrl, problems) ??
    readSetting('WEIGHBRIDGE_TARGET', env['WEIGHBRIDGE_TARGET'], targetUrl, problems)
  );
}

function namesTarget(file: ConfigFile): boolean {
  return file.probe?.targets !== undefined || file.target?.url !== undefined;
}

/** Where the setting stands: at the target, else in the section that holds for all. */
function problemAt(file: string, { path, own }: PlacedTarget, key: readonly string[], rule: string): Problem {
  const [first] = key;
  const where = first === undefined || own.has(first) ? [...path, ...key] : ['probe', ...key];
  return { at: placeInFile(file, where), path: formatPath(where), rule, found: null, suggestion: null };
}

function listenOf(
  { listen, tls, auth }: ProbeFile,
  flag: ListenAddress | undefined,
  folder: string,
): ProbePlan['listen'] {
  const address = flag ??
    listen ??
    parseListenAddress(PROBE_DEFAULTS.listen) ?? { host: '127.0.0.1', port: 0 };
  return {
    host: address.host,
    port: address.port,
    tls:
      tls === undefined
        ? null
        : { cert_file: resolve(folder, tls.cert_file), key_file: resolve(folder, tls.key_file) },
    auth: authOf(auth, folder),
  };
}

function authOf(auth: ProbeFile['auth'], folder: string): ProbePlan['listen']['auth'] {
  if (auth?.token_file !== undefined) return { kind: 'bearer', token_file: resolve(folder, auth.token_file) };
  if (auth?.user === undefined || auth.password_file === undefined) return null;
  return { kind: 'basic', user: auth.user, password_file: resolve(folder, auth.password_file) };
}

/** What is wrong, and under which key of the settings; none where it is the target as a whole. */
interface TargetFault {
  readonly key: readonly string[];
  readonly rule: string;
}

/** Rules that need to know what a target can be asked with, and whose it is. */
function targetFaults(
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
