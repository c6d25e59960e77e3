import { type LoadRun, runName } from './load-run.ts';
import { runFolder } from './plan-files.ts';
import { secretKeys } from './secret-use.ts';
import { volumePodName } from './volume-pod.ts';

/** What is typed after the files of a run are written, in order; `out` is their folder, `further` are keys that others need. */
export function loadCommands(run: LoadRun, out: string, further: readonly string[]): readonly string[] {
  const pushed = run.remoteWrite === null ? [] : [run.remoteWrite.password, run.remoteWrite.bearerToken];
  const keys = [...new Set([...secretKeys(run.secret), ...pushed.flatMap((key) => key ?? []), ...further])];
  return [
    ...secretCommand(run.secret.name, keys),
    ...(run.onVolume ? toVolume(run, out) : []),
    `kubectl apply -k ${out}`,
    `kubectl get pods -l app.kubernetes.io/instance=${run.runId}`,
    `kubectl logs job/${runName(run.runId)}-audit`,
  ];
}

/** Each value from a file, so that none is on a command line. */
export function secretCommand(name: string, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return [];
  const files = keys.map((key) => ` --from-file=${key}=${key}.txt`).join('');
  return [`kubectl create secret generic ${name}${files}`];
}

function toVolume({ runId }: LoadRun, out: string): readonly string[] {
  const pod = volumePodName(runId);
  return [
    `kubectl apply -f ${out}/ledgers.yaml -f ${out}/volume-pod.yaml`,
    `kubectl wait --for=condition=Ready pod/${pod}`,
    `kubectl cp ${out}/${runId}/. ${pod}:${runFolder(runId)}`,
    `kubectl delete pod ${pod}`,
  ];
}
