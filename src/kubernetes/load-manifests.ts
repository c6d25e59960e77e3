import { auditJob } from './audit-job.ts';
import { claim } from './claim.ts';
import { configMap } from './config-map.ts';
import { LEDGER_CLAIM, type LoadRun, runName } from './load-run.ts';
import { type Manifest, objectLabels } from './manifest.ts';
import { networkPolicy } from './network-policy.ts';
import { testRun } from './test-run.ts';

/** What drives one planned run with many engines, and audits it. */
export function loadManifests(run: LoadRun): readonly Manifest[] {
  return [
    ...(run.onVolume ? [] : [planMap(run)]),
    {
      file: 'ledgers.yaml',
      about: 'Ledgers and reports of all runs. It stays when a run is deleted.',
      object: claim(
        LEDGER_CLAIM,
        objectLabels('load'),
        run.oneNode ? 'ReadWriteOnce' : 'ReadWriteMany',
        '10Gi',
      ),
    },
    {
      file: 'network-policy.yaml',
      about: "Lets the operator alone reach k6's port 6565.",
      object: networkPolicy(run),
    },
    {
      file: 'test-run.yaml',
      about: `Drives the plan with ${run.instances} k6. Each new run needs a new plan: its calls are paid.`,
      object: testRun(run),
    },
    {
      file: 'audit.yaml',
      about: 'Waits for all ledgers and ends with the verdict: the Job fails where the exit status is not 0.',
      object: auditJob(run),
    },
  ];
}

function planMap({ runId, files }: LoadRun): Manifest {
  return {
    file: 'plan.yaml',
    about: 'The plan, and the configuration that its audit is judged by. It holds no secret.',
    object: configMap(`${runName(runId)}-plan`, objectLabels('load', runId), { ...files }),
  };
}
