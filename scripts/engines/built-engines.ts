import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sourceHash } from '../../bin/setup/k6.mjs';
import { type EngineList, engineList } from '../../src/contracts/engine-list.ts';

/** What stands in build/engines: of which sources, by which Go, and for which systems two builds gave the same bytes. */
const builtEngines = engineList.extend({
  source: z.string(),
  go: z.string(),
  twice: z.array(z.string()),
});
export type BuiltEngines = z.infer<typeof builtEngines>;

/** The folder of the engine packages of a clone. */
export function enginesFolder(root: string): string {
  return join(root, 'build/engines');
}

export function indexFile(root: string): string {
  return join(enginesFolder(root), 'engines.json');
}

/** Null where none was built, or of other sources than stand here: their hashes would be of another k6. */
export function readBuiltEngines(root: string): BuiltEngines | null {
  const file = indexFile(root);
  if (!existsSync(file)) return null;
  const built = builtEngines.parse(JSON.parse(readFileSync(file, 'utf8')));
  return built.source === sourceHash(root) ? built : null;
}

/** What the package is told of its engines when it is packed; empty where none was built of these sources. */
export function listedEngines(root: string): EngineList {
  return { engines: readBuiltEngines(root)?.engines ?? {} };
}
