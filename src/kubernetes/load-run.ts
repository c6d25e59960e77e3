import type { SecretUse } from './secret-use.ts';

/** One planned run that many pods drive. */
export interface LoadRun {
  readonly runId: string;
  readonly instances: number;
  readonly image: string;
  /** Name of the target, as it stands on dashboards. */
  readonly targetName: string;
  /** Without one there is nothing to reconcile: the audit reports the times. */
  readonly hasBill: boolean;
  readonly secret: SecretUse;
  /** What k6 pushes its metrics to; null where it pushes none. */
  readonly remoteWrite: RemoteWrite | null;
  /** plan.json, config.yaml and what they name, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** True where they stand on the volume, too large for a ConfigMap. */
  readonly onVolume: boolean;
  /** Pods of one node share the volume, where none can be shared by all nodes. */
  readonly oneNode: boolean;
  /** How long the audit waits for the ledgers of all engines. */
  readonly awaitMs: number;
  /** How long it may take then. */
  readonly auditMs: number;
  readonly operatorNamespace: string;
}

interface RemoteWrite {
  readonly url: string;
  readonly username: string | null;
  /** Keys of the Secret; null where there is none. */
  readonly password: string | null;
  readonly bearerToken: string | null;
}

/** Names of a run's objects: in lower case, as Kubernetes wants them. */
export function runName(runId: string): string {
  return `weighbridge-${runId.toLowerCase()}`;
}

/** Shared by all runs of the namespace. */
export const LEDGER_CLAIM = 'weighbridge-ledgers';
