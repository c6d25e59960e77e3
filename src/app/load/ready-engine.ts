import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../../bin/setup/cache-folder.mjs';
import { k6Step } from '../../../bin/setup/k6.mjs';
import { runSteps, SetupError } from '../../../bin/setup/step.mjs';
import { DownloadFailed, downloadFile } from '../../client/download-file.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { chooseEngine, type Engine, locateK6 } from '../../drive/locate-k6.ts';
import { checkEngine } from './check-engine.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Several times what ours has. */
const MOST_BYTES = 512 * 2 ** 20;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Our k6, there to be started: fetched or built first where it is not there yet, and checked. Throws `k6_not_built`,
 * `k6_not_found`, `k6_not_fetched` and `k6_altered`.
 */
export async function readyEngine(env: Env, say: (line: string) => void, root = ROOT): Promise<Engine> {
  const engine = chosen(env, root);
  await makeEngine(engine, env, say, root);
  locateK6(env, root);
  await confirmEngine(engine, env, root);
  return engine;
}

/** Fetches or builds what is not there yet. */
export async function makeEngine(
  engine: Engine,
  env: Env,
  say: (line: string) => void,
  root = ROOT,
): Promise<void> {
  if (existsSync(engine.path)) return;
  if (engine.from === 'go') await build(root, env, say, engine.why);
  if (engine.from === 'address') await fetchEngine(engine, env, say);
}

/** Before each start: a file may have changed since the last one. */
export function confirmEngine(engine: Engine, env: Env, root = ROOT): Promise<void> {
  return checkEngine(engine, memoryFile(env, root));
}

function memoryFile(env: Env, root: string): string | null {
  try {
    return join(cacheFolder(root, env), 'k6/checked.json');
  } catch {
    return null;
  }
}

/** As chooseEngine, with a fault of the cache told as ours are. */
function chosen(env: Env, root: string): Engine {
  try {
    return chooseEngine(env, root);
  } catch (cause) {
    throw cause instanceof SetupError ? notBuilt(cause) : cause;
  }
}

async function build(root: string, env: Env, say: (line: string) => void, why: string): Promise<void> {
  try {
    await runSteps([k6Step(root, env)], say);
  } catch (cause) {
    throw cause instanceof SetupError ? notBuilt(cause, why) : cause;
  }
}

function notBuilt(cause: SetupError, why?: string): WeighbridgeError {
  const more = why === undefined ? '' : ` (${why})`;
  return new WeighbridgeError({
    code: 'k6_not_built',
    message: `${cause.message}${more}`,
    hint: 'Install the engine package of this version, install Go, or set WEIGHBRIDGE_K6 to a ready binary (docs/install.md). plan, reconcile, report and probe work without it.',
    cause,
  });
}

async function fetchEngine(
  engine: Engine & { readonly from: 'address' },
  env: Env,
  say: (line: string) => void,
): Promise<void> {
  const { origin, pathname } = new URL(engine.address);
  say(`k6: downloading ${origin}${pathname}`);
  // Of this process: another may fetch the same.
  const part = `${engine.path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(engine.path), { recursive: true });
    const found = await downloadFile(engine.address, part, { environment: env, maxBytes: MOST_BYTES });
    if (found !== engine.sha256) throw new DownloadFailed(`its SHA-256 is ${found}, not ${engine.sha256}`);
    chmodSync(part, 0o755);
    renameSync(part, engine.path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WeighbridgeError({
      code: 'k6_not_fetched',
      message: `The load engine could not be downloaded from ${origin}${pathname}: ${why}.`,
      hint: 'Correct the address or WEIGHBRIDGE_K6_SHA256. Or download the file and give its path.',
      cause,
    });
  } finally {
    rmSync(part, { force: true });
  }
}
