import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Credentials, loadCredentials } from '../../config/credentials.ts';
import { isDefaultPlan, loadConfig } from '../../config/load-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { blocking, type Examination, notAsked, ok, type Seen, warning } from './examination.ts';
import { examineEngine, hasEngine } from './examine-engine.ts';
import {
  examineDisk,
  examineFolder,
  examineGo,
  examineLocks,
  examineNode,
  examineOpenFiles,
  examinePorts,
} from './examine-machine.ts';
import { examineTarget } from './examine-target.ts';

export interface Examined extends Omit<Seen, 'state' | 'exit'> {
  readonly name: string;
  readonly state: Seen['state'] | 'mended';
  readonly exit: number;
}

/** Looks at one thing after the other; `mend` mends what can be, and looks again. */
export async function runExaminations(
  examinations: readonly Examination[],
  mend: boolean,
  tell: (examined: Examined) => void,
): Promise<{ readonly examined: readonly Examined[]; readonly exitCode: number }> {
  const examined: Examined[] = [];
  for (const examination of examinations) {
    const one = await examine(examination, mend);
    tell(one);
    examined.push(one);
  }
  return { examined, exitCode: exitStatus(examined.map(({ exit }) => exit)) };
}

async function examine(examination: Examination, mend: boolean): Promise<Examined> {
  const { name } = examination;
  const first = await examination.look();
  if (!mend || examination.mend === undefined || first.fix === null) return told(name, first);
  try {
    await examination.mend();
  } catch (error) {
    return told(name, { ...first, ...failedMending(error) });
  }
  const second = await examination.look();
  return second.fix === null ? { ...told(name, second), state: 'mended' } : told(name, second);
}

function told(name: string, { state, found, fix, exit }: Seen): Examined {
  return { name, state, found, fix, exit: state === 'problem' ? (exit ?? EXIT.usage) : EXIT.ok };
}

/** What stood in the way of mending is what there is to mend now. */
function failedMending(error: unknown): Pick<Seen, 'found' | 'fix'> {
  const message = error instanceof Error ? error.message : String(error);
  const fix = error instanceof WeighbridgeError ? error.hint : message.split('\n').slice(-3).join(' ');
  return { found: `it could not be mended: ${message.split('\n')[0] ?? ''}`, fix };
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

type Env = Readonly<Record<string, string | undefined>>;

/** What is examined: a configuration, a target, and the folders that commands write to. */
export interface ExaminedPlace {
  readonly config?: string;
  readonly target?: string;
  readonly out: string;
  readonly state: string;
}

/** All that `doctor` looks at, in the order in which it is told. */
export function allExaminations(flags: ExaminedPlace, env: Env): readonly Examination[] {
  const config = readConfig(flags.config, flags.target, env);
  const known = 'value' in config ? config.value : null;
  const credentials = orOurError(() => loadCredentials(env, { headers: known?.target.headers }));
  const bases = known?.target.bases ?? null;
  return [
    examineNode(),
    examineGo(env, () => hasEngine(ROOT, env)),
    examineEngine(ROOT, env),
    examineConfig(config),
    examineCredentials(credentials, env, bases !== null),
    ...(known === null || bases === null
      ? []
      : examineTarget(known, bases, 'value' in credentials ? credentials.value : null, env)),
    examineOpenFiles(() =>
      known === null
        ? null
        : (known.limits.max_in_flight ??
          known.traffic.reduce((sum, { max_in_flight }) => sum + max_in_flight, 0)),
    ),
    examineFolder('run folders', '--out', flags.out),
    examineFolder('state', '--state', flags.state),
    examineLocks(flags.state),
    examineDisk(flags.out),
    examinePorts(),
  ];
}

/** A value, or what keeps it from being there. */
type Read<T> = { readonly value: T } | { readonly error: WeighbridgeError };

function readConfig(file: string | undefined, target: string | undefined, env: Env): Read<ResolvedConfig> {
  return orOurError(() => loadConfig({ file, env, flags: target === undefined ? {} : { target } }));
}

function examineConfig(config: Read<ResolvedConfig>): Examination {
  return {
    name: 'configuration',
    look: () => {
      if ('error' in config) return problemOf(config.error);
      const { file } = config.value;
      return isDefaultPlan(file)
        ? ok('none here: the default plan; weighbridge init writes one')
        : ok(`${file} holds`);
    },
  };
}

/** Says which are there, never what they are. */
function examineCredentials(credentials: Read<Credentials>, env: Env, hasTarget: boolean): Examination {
  return {
    name: 'credentials',
    look: () => {
      if ('error' in credentials) return problemOf(credentials.error);
      const { apiKey, accessToken } = credentials.value;
      if (apiKey === null && hasTarget)
        return blocking(
          'no API key for the target',
          'set WEIGHBRIDGE_API_KEY, or WEIGHBRIDGE_API_KEY_FILE to the path of a file that holds it',
        );
      if (apiKey === null) return notAsked('none; the embedded gateway needs none');
      const open = env['WEIGHBRIDGE_API_KEY_FILE'] ?? '';
      if (open !== '' && isReadByOthers(open))
        return warning('the key file can be read by others', `chmod 600 ${open}`);
      return ok(accessToken === null ? 'an API key' : 'an API key and an access token');
    },
  };
}

function isReadByOthers(path: string): boolean {
  // Windows knows no such bits.
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

function problemOf({ message, hint }: WeighbridgeError): Seen {
  return blocking(message, hint);
}

function orOurError<T>(read: () => T): Read<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof WeighbridgeError) return { error };
    throw error;
  }
}
