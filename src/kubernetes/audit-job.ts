import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import { formatDuration } from '../config/duration.ts';
import { type LoadRun, runName } from './load-run.ts';
import { objectLabels } from './manifest.ts';
import { mountedSecret, REPORTS, STATE } from './mounted.ts';
import { mountedRun, planFolder, runFolder } from './plan-files.ts';
import { type OwnContainer, onOneNode, ownPod } from './pod.ts';
import { secretEnv } from './secret-use.ts';

/** Waits for the ledgers of all engines, and judges what is there when they are closed or the time is up. */
export function auditJob(run: LoadRun): Job {
  const labels = objectLabels('audit', run.runId);
  const pod = ownPod({
    image: run.image,
    mounts: [...mountedRun(run), ...mountedSecret(run.secret)],
    before: [...(run.onVolume ? [] : [copyOfPlan(run)]), engines(run)],
    container: {
      name: 'audit',
      args: judge(run),
      env: [
        { name: 'WEIGHBRIDGE_CONFIG', value: `${runFolder(run.runId)}/config.yaml` },
        ...secretEnv(run.secret),
      ],
    },
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${runName(run.runId)}-audit`, labels },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: Math.ceil((run.awaitMs + run.auditMs) / 1000),
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          ...(run.oneNode ? { affinity: onOneNode({ 'app.kubernetes.io/instance': run.runId }) } : {}),
          ...pod,
        },
      },
    },
  };
}

/** Makes the folder of the run complete, as one that `weighbridge run` leaves: nothing else is needed to judge it again. */
function copyOfPlan(run: LoadRun): OwnContainer {
  const files = Object.keys(run.files).map((name) => `${planFolder(run)}/${name}`);
  return {
    name: 'plan',
    command: ['install', '-D', '-m', '0644', '-t', runFolder(run.runId), ...files],
  };
}

function engines({ runId, instances, awaitMs }: LoadRun): OwnContainer {
  const within = formatDuration(awaitMs);
  return {
    name: 'engines',
    args: ['k8s', 'await', runFolder(runId), '--engines', String(instances), '--within', within],
  };
}

function judge({ runId, hasBill }: LoadRun): string[] {
  return hasBill
    ? ['reconcile', '--ledger', runFolder(runId), '--out', REPORTS, '--state', STATE]
    : ['report', '--run', runId, '--out', REPORTS];
}
