import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { LEDGER_CLAIM, type LoadRun, runName } from './load-run.ts';
import { type Manifest, objectLabels } from './manifest.ts';
import { mountedClaim } from './mounted.ts';
import { runFolder } from './plan-files.ts';
import { onOneNode, ownPod } from './pod.ts';

/** Applied by hand, and deleted again: with it a plan comes to the volume, and a report from it. */
export function volumePodManifest(run: LoadRun): Manifest {
  return {
    file: 'volume-pod.yaml',
    about: 'Has the volume and does nothing, so that kubectl cp reaches it. Not part of the kustomization.',
    object: volumePod(run),
  };
}

function volumePod(run: LoadRun): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: volumePodName(run.runId), labels: objectLabels('load', run.runId) },
    spec: {
      restartPolicy: 'Never',
      // It holds nothing that a signal could save.
      terminationGracePeriodSeconds: 0,
      ...(run.oneNode ? { affinity: onOneNode({ 'app.kubernetes.io/instance': run.runId }) } : {}),
      ...ownPod({
        image: run.image,
        mounts: [mountedClaim(LEDGER_CLAIM)],
        before: [{ name: 'folder', command: ['mkdir', '-p', runFolder(run.runId)] }],
        container: { name: 'volume', command: ['sleep', '3600'] },
      }),
    },
  };
}

export function volumePodName(runId: string): string {
  return `${runName(runId)}-volume`;
}
