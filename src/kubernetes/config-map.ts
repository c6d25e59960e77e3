import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';

/** Kubernetes takes 1 MiB for the whole object; this leaves room for its names. */
const CONFIG_MAP_BYTES = 900_000;

export function configMap(
  name: string,
  labels: Record<string, string>,
  data: Record<string, string>,
): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
}

/** True where the files fit into one ConfigMap. */
export function fitsConfigMap(data: Readonly<Record<string, string>>): boolean {
  const bytes = Object.entries(data).reduce(
    (sum, [name, text]) => sum + Buffer.byteLength(name) + Buffer.byteLength(text),
    0,
  );
  return bytes < CONFIG_MAP_BYTES;
}
