import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { budgetLimits } from '../../config/budget-schema.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { loadCommands, secretCommand } from '../../kubernetes/load-commands.ts';
import { loadManifests } from '../../kubernetes/load-manifests.ts';
import { probeManifests } from '../../kubernetes/probe-manifests.ts';
import { scheduleManifests } from '../../kubernetes/schedule-manifests.ts';
import { secretKeys } from '../../kubernetes/secret-use.ts';
import { volumePodManifest } from '../../kubernetes/volume-pod.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { reserveRun } from '../spend/run-budget.ts';
import { stateHome } from '../target/state-home.ts';
import { planLoad } from './load-objects.ts';
import { watchOf } from './probe-objects.ts';
import { schedulesOf } from './schedule-objects.ts';
import { writeManifests } from './write-manifests.ts';

export interface ManifestRequest {
  /** A new folder. */
  readonly out: string;
  readonly image: string;
  /** Name of the Secret. */
  readonly secret: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly load: {
    readonly config: ResolvedConfig;
    readonly instances: number;
    readonly oneNode: boolean;
    readonly operatorNamespace: string;
    /** Where the budget of the target stands on this machine. */
    readonly state: string;
  } | null;
  /** The configuration of the daemon, as `--config` names it. */
  readonly probe: { readonly file: string | undefined } | null;
  readonly schedules: {
    readonly config: ResolvedConfig;
    readonly month: boolean;
    readonly nightly: 'audit' | 'run' | null;
  } | null;
}

export interface MadeManifests {
  readonly dir: string;
  /** Names of the files in it. */
  readonly files: readonly string[];
  /** What is typed next. */
  readonly commands: readonly string[];
  /** The load that will be driven; null without one. */
  readonly resolved: ResolvedPlan | null;
}

/** Writes the manifests of what is asked for. Throws as its parts do; then nothing is written. */
export async function makeManifests(request: ManifestRequest): Promise<MadeManifests> {
  const { out, image, secret, env, load, probe, schedules } = request;
  const pods = { image, secret };
  const scheduled = schedules && schedulesOf(schedules.config, { ...schedules, ...pods });
  const watch = probe && watchOf({ ...probe, ...pods, env });
  const planned = load && (await planLoad(load.config, env, { ...load, ...pods }));
  const run = planned?.run ?? null;
  const files = writeManifests(out, {
    manifests: [
      ...(run === null ? [] : loadManifests(run)),
      ...(watch === null ? [] : probeManifests(watch)),
      ...(scheduled === null ? [] : scheduleManifests(scheduled)),
    ],
    apart: run === null ? [] : [volumePodManifest(run)],
    volume: run?.onVolume === true ? { name: run.runId, files: run.files } : null,
  });
  if (load !== null && planned !== null) await reserve(request, load, planned.resolved, files);
  const further = [watch, scheduled].flatMap((part) => (part === null ? [] : secretKeys(part.secret)));
  const commands =
    run === null
      ? [...secretCommand(secret, [...new Set(further)]), `kubectl apply -k ${out}`]
      : loadCommands(run, out, further);
  return { dir: out, files, commands, resolved: planned?.resolved ?? null };
}

/**
 * Takes the whole cap of the budget: nobody sees here what pods send until their ledgers are judged. Throws `budget_exhausted`
 * (exit 6); then no manifest is there.
 */
async function reserve(
  { out, say }: ManifestRequest,
  { config, state }: NonNullable<ManifestRequest['load']>,
  { plan }: ResolvedPlan,
  files: readonly string[],
): Promise<void> {
  const home = stateHome(state, plan.target, say);
  await reserveRun({ home, limits: budgetLimits(config.target.budget) }, plan).catch((error: unknown) => {
    // The folder of a run goes with its files.
    for (const file of files) rmSync(join(out, file.split(sep)[0] ?? file), { recursive: true, force: true });
    throw error;
  });
  const most = plan.cap.max_spend_usd;
  if (home !== null && most !== null)
    say(
      `The budget reserves the whole cap of $${most} until you run \`weighbridge reconcile --ledger\` here on the result.`,
    );
}
