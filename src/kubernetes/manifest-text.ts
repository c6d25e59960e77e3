import { stringify } from 'yaml';
import type { Manifest } from './manifest.ts';

/** A manifest as kubectl reads it. Lines are never folded, and the same parts of pods are written out each time. */
export function manifestText({ about, object }: Manifest): string {
  return `# ${about}\n${yamlText(object)}`;
}

/** Lists the files, so that `kubectl apply -k` applies them and an overlay can change them. */
export function kustomizationText(files: readonly string[]): string {
  return yamlText({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: files,
  });
}

function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
