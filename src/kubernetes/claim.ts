import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.d.ts';

/** Many: pods on all nodes; OneNode: pods of one node; OnePod: one pod at a time, whatever makes a second one. */
export type Sharing = 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod';

export function claim(
  name: string,
  labels: Record<string, string>,
  sharing: Sharing,
  storage: string,
): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, labels },
    spec: { accessModes: [sharing], resources: { requests: { storage } } },
  };
}
