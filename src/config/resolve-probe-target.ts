import type { DialectSetting } from '../contracts/dialect.ts';
import type { Probe, ProbeTarget } from '../contracts/probe-plan.ts';
import { parseAmount } from '../core/amount.ts';
import { budgetLimits } from './budget-schema.ts';
import { absoluteReference } from './credential-reference.ts';
import { freeProbes, negativeProbes, type ProbeMeans } from './free-probes.ts';
import { paidProbes } from './paid-probes.ts';
import { EMBEDDED_BUDGET, PROBE_DEFAULTS } from './probe-defaults.ts';
import type { ProbeSettings } from './probe-keys.ts';
import type { TargetBases } from './target-bases.ts';
import { type HeaderReferences, lowerCased } from './target-headers.ts';

/** A gateway to watch, where it was named, and what to ask it. */
export interface NamedTarget {
  readonly name: string;
  readonly folder: string;
  readonly bases: TargetBases;
  readonly key: string | null;
  readonly access_token: string | null;
  readonly user_id: string | null;
  readonly headers: HeaderReferences;
  readonly dialect: DialectSetting;
  /** Started by the command itself: it costs nothing. */
  readonly embedded: boolean;
  readonly settings: ProbeSettings;
}

/** A target with every value set. `file` is the configuration that paths start from. */
export function resolveProbeTarget(named: NamedTarget, file: string): ProbeTarget {
  const { name, folder, bases, settings, embedded } = named;
  const means = meansOf(named);
  const paid = paidProbes(settings);
  const probes: readonly Probe[] = [
    ...freeProbes(settings, means),
    ...paid,
    ...negativeProbes(settings, means, paid),
  ];
  const absolute = (reference: string | null): string | null =>
    reference === null ? null : absoluteReference(reference, file);
  const models = [...paid.flatMap(({ model }) => model ?? []), ...(settings.watch_models ?? [])];
  return {
    name,
    folder,
    bases: { root: bases.root, v1: bases.v1, api: bases.api },
    loopback: bases.loopback,
    key: absolute(named.key),
    access_token: absolute(named.access_token),
    user_id: absolute(named.user_id),
    headers: lowerCased(
      Object.entries(named.headers).map(([name, value]) => [name, absoluteReference(value, file)]),
    ),
    dialect: named.dialect,
    budget: budgetLimits(settings.budget) ?? (embedded ? EMBEDDED_BUDGET : null),
    assumed_run_usd: parseAmount(settings.assume_usd_per_run),
    concurrency: settings.concurrency ?? PROBE_DEFAULTS.concurrency,
    probes,
    watched_models: [...new Set(models)],
  };
}

/** What a target can be asked with. */
export function meansOf({ key, access_token, user_id, bases }: NamedTarget): ProbeMeans {
  return {
    key: key !== null,
    token: access_token !== null && user_id !== null,
    loopback: bases.loopback,
  };
}
