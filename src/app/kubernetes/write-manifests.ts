import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Manifest } from '../../kubernetes/manifest.ts';
import { kustomizationText, manifestText } from '../../kubernetes/manifest-text.ts';

export interface WrittenFolder {
  /** Applied together by the kustomization. */
  readonly manifests: readonly Manifest[];
  /** Applied by hand, before them. */
  readonly apart: readonly Manifest[];
  /** A folder of the run for the volume, and its files; null where a ConfigMap holds them. */
  readonly volume: { readonly name: string; readonly files: Readonly<Record<string, string>> } | null;
}

/** Writes a new folder. Throws `out_not_empty` and `out_unwritable` (exit 2): what stands there may have been changed by hand. */
export function writeManifests(dir: string, { manifests, apart, volume }: WrittenFolder): readonly string[] {
  if (existsSync(dir) && readdirSync(dir).length > 0) {
    throw new WeighbridgeError({
      code: 'out_not_empty',
      message: `The folder ${dir} of --out already contains files.`,
      hint: 'Name a new folder. Keep your own changes in a kustomize overlay beside it.',
    });
  }
  const texts = new Map<string, string>([
    ['kustomization.yaml', kustomizationText(manifests.map(({ file }) => file))],
    ...[...manifests, ...apart].map((each) => [each.file, manifestText(each)] as const),
    ...Object.entries(volume?.files ?? {}).map(
      ([name, text]) => [join(volume?.name ?? '', name), text] as const,
    ),
  ]);
  try {
    mkdirSync(join(dir, volume?.name ?? ''), { recursive: true });
    for (const [name, text] of texts) writeFileSync(join(dir, name), text, { flag: 'wx' });
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'out_unwritable',
      message: `The folder ${dir} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Give --out a folder that you can write to.',
      cause,
    });
  }
  return [...texts.keys()];
}
