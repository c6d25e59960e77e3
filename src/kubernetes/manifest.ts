import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

/** An object of the cluster, as a file of its own. */
export interface Manifest {
  /** Name of the file, such as test-run.yaml. */
  readonly file: string;
  /** One sentence for who opens the file. */
  readonly about: string;
  readonly object: KubernetesObject;
}

interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** What a run, the daemon or a schedule is part of. */
export type Component = 'load' | 'audit' | 'probe' | 'month' | 'nightly';

/** The labels that Kubernetes recommends; `instance` is the id of a run. */
export function objectLabels(component: Component, instance?: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'weighbridge',
    'app.kubernetes.io/component': component,
    ...(instance === undefined ? {} : { 'app.kubernetes.io/instance': instance }),
  };
}
