import type { LoadRun } from './load-run.ts';

/** A run of three engines on a gateway with a bill. */
export function aRun(changes: Partial<LoadRun> = {}): LoadRun {
  return {
    runId: '20261121T180049Z-8084',
    instances: 3,
    image: 'registry.example/weighbridge:1',
    targetName: 'gateway.example',
    hasBill: true,
    secret: { name: 'weighbridge-credentials', credentials: ['api-key'], files: [], variables: [] },
    remoteWrite: null,
    files: { 'plan.json': '{}\n', 'config.yaml': 'version: 1\n' },
    onVolume: false,
    oneNode: false,
    awaitMs: 2_700_000,
    auditMs: 3_600_000,
    operatorNamespace: 'k6-operator-system',
    ...changes,
  };
}
