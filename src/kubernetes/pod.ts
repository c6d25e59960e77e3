import type { Affinity, Container, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { type Mounted, SCRATCH } from './mounted.ts';

/** The user of the image: a number, which runAsNonRoot can check. */
const USER = 1000;

/** With that of the container as the pod security standard `restricted` asks for it. */
export const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

export const CONTAINER_SECURITY = {
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

/** A container of our image; its mounts are those of its pod. */
export type OwnContainer = Pick<Container, 'name' | 'args'> &
  Partial<Pick<Container, 'command' | 'env' | 'ports' | 'livenessProbe' | 'readinessProbe'>>;

export interface OwnPod {
  readonly image: string;
  readonly mounts: readonly Mounted[];
  readonly container: OwnContainer;
  /** Run one after the other before it. */
  readonly before?: readonly OwnContainer[];
}

/** A pod that runs our image as no root, writes nowhere but to its volumes, and asks nothing of the cluster. */
export function ownPod({ image, mounts, container, before = [] }: OwnPod): PodSpec {
  const all = [...mounts, SCRATCH];
  const contained = (each: OwnContainer, seen: readonly Mounted[]): Container => ({
    ...each,
    image,
    securityContext: CONTAINER_SECURITY,
    volumeMounts: seen.map(({ mount }) => mount),
  });
  // What runs before sends nothing, so it sees no key.
  const keyless = all.filter(({ volume }) => volume.secret === undefined);
  return {
    automountServiceAccountToken: false,
    securityContext: POD_SECURITY,
    ...(before.length === 0 ? {} : { initContainers: before.map((each) => contained(each, keyless)) }),
    containers: [contained(container, all)],
    volumes: all.map(({ volume }) => volume),
  };
}

/** Keeps all pods with these labels on one node, which alone can share a ReadWriteOnce volume. */
export function onOneNode(matchLabels: Record<string, string>): Affinity {
  return {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  };
}
