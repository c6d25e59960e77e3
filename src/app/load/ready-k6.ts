import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { k6Step } from '../../../bin/setup/k6.mjs';
import { runSteps, SetupError } from '../../../bin/setup/step.mjs';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { locateK6 } from '../../drive/locate-k6.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Path of our k6, which is built first where there is none yet: a package that npm installed holds its sources alone. In a
 * clone set-up builds it. Throws `k6_not_built` and `k6_not_found` (exit 2).
 */
export async function readyK6(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  root = ROOT,
): Promise<string> {
  const given = (env['WEIGHBRIDGE_K6'] ?? '') !== '';
  if (!given && !existsSync(join(root, '.cache/k6/current'))) await build(root, env, say);
  return locateK6(env, root);
}

async function build(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<void> {
  try {
    await runSteps([k6Step(root, env)], say);
  } catch (cause) {
    if (!(cause instanceof SetupError)) throw cause;
    throw new WeighbridgeError({
      code: 'k6_not_built',
      message: cause.message,
      hint: 'put Go 1.25 or newer on the PATH, or set WEIGHBRIDGE_K6 to a ready binary; reconcile, report and probe need neither',
      cause,
    });
  }
}
