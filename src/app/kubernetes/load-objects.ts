import { readFileSync } from 'node:fs';
import { formatConfig } from '../../config/format-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type Plan, promptsBeside } from '../../contracts/plan.ts';
import { fitsConfigMap } from '../../kubernetes/config-map.ts';
import type { LoadRun } from '../../kubernetes/load-run.ts';
import type { CredentialKey, SecretUse } from '../../kubernetes/secret-use.ts';
import { planTarget } from '../../plan/plan-target.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { newRunId } from '../../plan/run-id.ts';
import { TRACE_FILE } from '../../plan/trace/read-trace.ts';
import { WELL_BEHAVED } from '../gateway/embedded-gateway.ts';
import { planOffered, readLoadOfferOnce } from '../target/load-offer.ts';
import { openTarget, type WeighedTarget } from '../target/weighed-target.ts';
import { refuseLocalFiles } from './refuse-local-files.ts';
import { secretKey, secretReferences } from './secret-references.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How a load is laid out in the cluster. */
export interface Layout {
  readonly instances: number;
  readonly image: string;
  readonly secret: string;
  readonly oneNode: boolean;
  readonly operatorNamespace: string;
}

export interface PlannedLoad {
  readonly run: LoadRun;
  readonly resolved: ResolvedPlan;
}

/** For the pods to come up: images are pulled, and nodes may be made for them. */
const START_MS = 30 * 60_000;
/** For the audit beyond its settlement. */
const JUDGE_MS = 60 * 60_000;

/**
 * Plans a load and says what its pods need. Sends no paid call. Throws `target_missing`, `file_of_this_machine` (exit 2), and
 * what planning throws.
 */
export async function planLoad(config: ResolvedConfig, env: Env, layout: Layout): Promise<PlannedLoad> {
  if (planTarget(config.target) === null) throw noTarget();
  refuseLocalFiles(config, { podsPlan: false });
  const now = Date.now();
  const runId = newRunId(now);
  const weighed = await openTarget(config, env, WELL_BEHAVED, new AbortController().signal, runId);
  try {
    const offer = await readLoadOfferOnce(weighed, config.billing);
    const resolved = planOffered(config, weighed.target, offer, {
      runId,
      now,
      instances: layout.instances,
    });
    return { resolved, run: loadRun(resolved, config, weighed, layout) };
  } finally {
    await weighed.close();
  }
}

function loadRun(
  { plan, replay }: ResolvedPlan,
  config: ResolvedConfig,
  weighed: WeighedTarget,
  layout: Layout,
): LoadRun {
  const { duration_ms, drain_ms } = plan.workload;
  const { remote_write: write } = config.metrics;
  const files = {
    'plan.json': `${JSON.stringify(plan)}\n`,
    'config.yaml': formatConfig(replay?.config ?? config),
    ...(replay === null ? {} : { [TRACE_FILE]: replay.trace }),
    ...promptFiles(plan),
  };
  return {
    instances: layout.instances,
    image: layout.image,
    oneNode: layout.oneNode,
    operatorNamespace: layout.operatorNamespace,
    runId: plan.run_id,
    targetName: plan.target.name,
    hasBill: plan.target.bill === 'served',
    secret: secretOf(layout.secret, weighed, config),
    remoteWrite: write && {
      url: write.url,
      username: write.username,
      password: secretKey(write.password),
      bearerToken: secretKey(write.bearer_token),
    },
    files,
    onVolume: !fitsConfigMap(files),
    awaitMs: duration_ms + drain_ms + START_MS,
    auditMs: config.settle.wait_ms + JUDGE_MS,
  };
}

/** Under the names by which the load engine looks for them beside the plan. */
function promptFiles({ workload }: Plan): Record<string, string> {
  const prompts = workload.scenarios.flatMap(({ text }) => text?.prompts ?? []);
  return Object.fromEntries(prompts.map((file) => [promptsBeside(file), readFileSync(file.path, 'utf8')]));
}

function secretOf(name: string, { credentials }: WeighedTarget, { target }: ResolvedConfig): SecretUse {
  const { apiKey, accessToken, userId } = credentials;
  const given: readonly (readonly [CredentialKey, string | null])[] = [
    ['api-key', apiKey],
    ['access-token', accessToken],
    ['user-id', userId],
  ];
  return {
    name,
    credentials: given.flatMap(([key, value]) => (value === null ? [] : [key])),
    ...secretReferences(Object.values(target.headers)),
  };
}

function noTarget(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_missing',
    message: 'The pods need a target, and none is given. The embedded gateway ends with this command.',
    hint: 'Give with --target the address at which pods reach the gateway.',
  });
}
