import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** What k6 runs, for as long as it runs. */
export interface ScenarioScript {
  readonly path: string;
  remove(): void;
}

/**
 * The script that drives a plan, as one file: each virtual user evaluates every module anew. The package ships it
 * bundled beside the compiled command line; in a clone it is bundled from the sources, so that no run uses a stale one.
 */
export function scenarioScript(): ScenarioScript {
  if (!import.meta.url.endsWith('.ts')) {
    return {
      path: fileURLToPath(new URL('../../scenarios/mixed.js', import.meta.url)),
      remove: () => undefined,
    };
  }
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-scenarios-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const bundler = fileURLToPath(new URL('../../../scripts/bundle-scenarios.ts', import.meta.url));
  const done = spawnSync(process.execPath, [bundler, folder], { encoding: 'utf8' });
  if (done.status === 0) return { path: join(folder, 'mixed.js'), remove };
  remove();
  throw new WeighbridgeError({
    code: 'scenarios_not_bundled',
    message: `expected the scenarios to bundle, found: ${done.error?.message ?? done.stderr.trim()}`,
    hint: 'mend scenarios/, or run `npm ci` where esbuild is missing',
    exitCode: EXIT.internal,
  });
}
