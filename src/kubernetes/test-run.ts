import type { Affinity, EnvVar, Volume, VolumeMount } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { type LoadRun, runName } from './load-run.ts';
import { objectLabels } from './manifest.ts';
import { type Mounted, mountedSecret, SCRATCH } from './mounted.ts';
import { mountedPlan, mountedRun, planFolder, runFolder } from './plan-files.ts';
import { CONTAINER_SECURITY, onOneNode, POD_SECURITY } from './pod.ts';
import { secretEnv, secretVariable } from './secret-use.ts';

/** The part of k6-operator's `Pod` (v1.6.0) that is used here. */
interface OperatorPod {
  readonly image?: string;
  readonly automountServiceAccountToken: 'false';
  readonly metadata?: { readonly labels: Record<string, string> };
  readonly env?: readonly EnvVar[];
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly affinity?: Affinity;
  readonly resources?: { readonly requests: Record<string, string> };
  readonly livenessProbe?: {
    readonly httpGet: { readonly path: string; readonly port: number };
    readonly timeoutSeconds: number;
    readonly failureThreshold: number;
  };
  readonly securityContext: typeof POD_SECURITY;
  readonly containerSecurityContext: typeof CONTAINER_SECURITY;
}

/** A TestRun of k6-operator, the part of v1.6.0 that is used here. */
export interface TestRun {
  readonly apiVersion: 'k6.io/v1alpha1';
  readonly kind: 'TestRun';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly parallelism: number;
    readonly script: { readonly localFile: string };
    readonly args: readonly string[];
    readonly initializer: OperatorPod;
    readonly starter: OperatorPod;
    readonly runner: OperatorPod;
  };
}

/** Where the image has the scenarios, bundled to one file. */
const SCRIPT = '/opt/weighbridge/dist/scenarios/mixed.js';
const STARTER_IMAGE = 'ghcr.io/grafana/k6-operator:starter-v1.6.0';

export function testRun(run: LoadRun): TestRun {
  const labels = objectLabels('load', run.runId);
  const shared = {
    image: run.image,
    automountServiceAccountToken: 'false',
    metadata: { labels },
    securityContext: POD_SECURITY,
    containerSecurityContext: CONTAINER_SECURITY,
    ...(run.oneNode ? { affinity: onOneNode({ 'app.kubernetes.io/instance': run.runId }) } : {}),
  } as const;
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name: runName(run.runId), labels },
    spec: {
      parallelism: run.instances,
      script: { localFile: SCRIPT },
      args: engineArgs(run),
      initializer: {
        ...shared,
        env: [...engineEnv(run), ...placeholders(run)],
        ...volumesOf([mountedPlan(run), SCRATCH]),
      },
      starter: {
        image: STARTER_IMAGE,
        automountServiceAccountToken: 'false',
        securityContext: POD_SECURITY,
        containerSecurityContext: CONTAINER_SECURITY,
      },
      runner: {
        ...shared,
        env: [...engineEnv(run), INSTANCE, ...secretEnv(run.secret), ...pushEnv(run)],
        ...volumesOf([...mountedRun(run), ...mountedSecret(run.secret), SCRATCH]),
        // No limit: an engine that is throttled measures itself.
        resources: { requests: { cpu: '1', memory: '1Gi' } },
        // The default gives one second, three times: a busy engine is no dead one.
        livenessProbe: {
          httpGet: { path: '/v1/status', port: 6565 },
          timeoutSeconds: 5,
          failureThreshold: 30,
        },
      },
    },
  };
}

function volumesOf(mounts: readonly Mounted[]): Pick<OperatorPod, 'volumes' | 'volumeMounts'> {
  return { volumes: mounts.map(({ volume }) => volume), volumeMounts: mounts.map(({ mount }) => mount) };
}

/**
 * `args` and never `arguments`: with these a shell stays process 1 of the runner, and deleting the TestRun does not stop
 * the load.
 */
function engineArgs({ runId, targetName, remoteWrite }: LoadRun): readonly string[] {
  return [
    '--summary-mode=disabled',
    '--out',
    `weighbridge=${runFolder(runId)}/calls`,
    ...(remoteWrite === null ? [] : ['--out', 'experimental-prometheus-rw']),
    '--tag',
    `testid=${runId}`,
    '--tag',
    `target_name=${targetName.replaceAll('$', '$$$$')}`,
    '--tag',
    'instance=$(WEIGHBRIDGE_INSTANCE)',
  ];
}

/** The name of the runner's own Job: each has another. */
const INSTANCE: EnvVar = {
  name: 'WEIGHBRIDGE_INSTANCE',
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } },
};

function engineEnv(run: LoadRun): EnvVar[] {
  return [
    { name: 'WEIGHBRIDGE_PLAN', value: `${planFolder(run)}/plan.json` },
    { name: 'WEIGHBRIDGE_FLAT_METRICS', value: '1' },
    { name: 'K6_NO_USAGE_REPORT', value: 'true' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
  ];
}

/**
 * The initializer sends nothing, and k6-operator repeats its variables on a command line and in an archive: it gets words in
 * place of secrets.
 */
function placeholders({ secret }: LoadRun): EnvVar[] {
  return [
    { name: 'WEIGHBRIDGE_INSTANCE', value: 'initializer' },
    ...secret.variables.map((name) => ({ name, value: 'not-here' })),
  ];
}

/** On no command line: k6-operator repeats the variables of the initializer alone. */
function pushEnv({ remoteWrite, secret }: LoadRun): EnvVar[] {
  if (remoteWrite === null) return [];
  const { url, username, password, bearerToken } = remoteWrite;
  return [
    { name: 'K6_PROMETHEUS_RW_SERVER_URL', value: url },
    ...(username === null ? [] : [{ name: 'K6_PROMETHEUS_RW_USERNAME', value: username }]),
    ...(password === null ? [] : [secretVariable(secret.name, 'K6_PROMETHEUS_RW_PASSWORD', password)]),
    ...(bearerToken === null
      ? []
      : [secretVariable(secret.name, 'K6_PROMETHEUS_RW_BEARER_TOKEN', bearerToken)]),
  ];
}
