import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { k6Step } from '../../../bin/setup/k6.mjs';
import { SetupError } from '../../../bin/setup/step.mjs';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { chooseEngine, type Engine } from '../../drive/locate-k6.ts';
import { confirmEngine, makeEngine } from '../load/ready-engine.ts';
import { blocking, type Examination, ok, type Seen } from './examination.ts';

type Env = Readonly<Record<string, string | undefined>>;

const MEND = 'weighbridge doctor --fix';

/** Which k6 a run would start, where it comes from, and why. `root`: the folder of package.json. */
export function examineEngine(root: string, env: Env): Examination {
  return {
    name: 'k6',
    look: async () => {
      try {
        return await engineSeen(chooseEngine(env, root), root, env);
      } catch (error) {
        if (error instanceof WeighbridgeError) return blocking(error.message, error.hint);
        if (error instanceof SetupError) return blocking(error.message, 'then weighbridge doctor again');
        throw error;
      }
    },
    mend: isFile(env) ? undefined : () => mend(root, env),
  };
}

/** True where a k6 of ours can be started without Go. */
export function hasEngine(root: string, env: Env): boolean {
  try {
    const engine = chooseEngine(env, root);
    return engine.from !== 'go' || existsSync(engine.path);
  } catch {
    return false;
  }
}

async function engineSeen(engine: Engine, root: string, env: Env): Promise<Seen> {
  const { path, from } = engine;
  if (!existsSync(path)) return missing(engine);
  await confirmEngine(engine, env, root);
  const fix = from === 'go' ? MEND : 'set WEIGHBRIDGE_K6 to a k6 that set-up built, or unset it';
  const said = spawnSync(path, ['version'], { encoding: 'utf8', timeout: 10_000 });
  if (said.status !== 0) return blocking(`${path} does not run`, fix);
  if (!said.stdout.includes('k6/x/weighbridge'))
    return blocking(`${path} is a k6 without our extension`, fix);
  if (from === 'go' && !k6Step(root, env).isReady())
    return blocking('built from other sources than stand here', fix);
  return ok(`${said.stdout.split(' (')[0] ?? ''} with our extension, ${origin(engine)}: ${path}`);
}

function missing(engine: Engine): Seen {
  if (engine.from === 'file')
    return blocking('WEIGHBRIDGE_K6 names no file', 'give the path of a k6 that set-up built, or unset it');
  if (engine.from === 'address') return blocking('not fetched yet: audit and run need it', MEND);
  if (engine.from === 'package')
    return blocking(`${engine.name} lacks ${engine.path}`, `install the tarball of ${engine.name} again`);
  return blocking(
    `not built yet: audit and run need it (${engine.why})`,
    `${MEND} (needs Go), install the engine package of this build, or set WEIGHBRIDGE_K6`,
  );
}

/** Where it comes from, and why it was taken. */
function origin(engine: Engine): string {
  if (engine.from === 'file') return 'named by WEIGHBRIDGE_K6';
  if (engine.from === 'address')
    return 'fetched from where WEIGHBRIDGE_K6 says, with the SHA-256 that you gave';
  if (engine.from === 'package') return `of ${engine.name}, with the SHA-256 that this build knows`;
  return `built with Go (${engine.why})`;
}

/** A file of the user's own stays as it is. */
function isFile(env: Env): boolean {
  const given = env['WEIGHBRIDGE_K6'] ?? '';
  return given !== '' && !given.startsWith('https:');
}

async function mend(root: string, env: Env): Promise<void> {
  const engine = chooseEngine(env, root);
  if (engine.from !== 'go') return makeEngine(engine, env, () => undefined, root);
  const step = k6Step(root, env);
  await step.check?.();
  await step.run();
}
