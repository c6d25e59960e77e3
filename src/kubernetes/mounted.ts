import type { Volume, VolumeMount } from 'kubernetes-types/core/v1.d.ts';
import { SECRET_FOLDER, type SecretUse } from './secret-use.ts';

/** A volume and the one place where a container sees it. */
export interface Mounted {
  readonly volume: Volume;
  readonly mount: VolumeMount;
}

/** Where state, ledgers and reports stand in every pod. */
export const DATA = '/var/lib/weighbridge';
export const REPORTS = `${DATA}/reports`;
export const STATE = `${DATA}/state`;

/** Nothing but this and the volumes can be written. */
export const SCRATCH: Mounted = {
  volume: { name: 'tmp', emptyDir: {} },
  mount: { name: 'tmp', mountPath: '/tmp' },
};

export function mountedClaim(claimName: string): Mounted {
  return {
    volume: { name: 'data', persistentVolumeClaim: { claimName } },
    mount: { name: 'data', mountPath: DATA },
  };
}

export function mountedConfig(name: string, mountPath = '/etc/weighbridge'): Mounted {
  return {
    volume: { name: 'config', configMap: { name } },
    mount: { name: 'config', mountPath, readOnly: true },
  };
}

/** Readable by the group of the pod alone; nothing where no file is taken from it. */
export function mountedSecret({ name: secretName, credentials, files }: SecretUse): readonly Mounted[] {
  if (credentials.length + files.length === 0) return [];
  return [
    {
      volume: { name: 'credentials', secret: { secretName, defaultMode: 0o440 } },
      mount: { name: 'credentials', mountPath: SECRET_FOLDER, readOnly: true },
    },
  ];
}
