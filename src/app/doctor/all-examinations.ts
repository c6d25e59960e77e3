import { fileURLToPath } from 'node:url';
import type { Examination } from './examination.ts';
import { examineConfig, examineCredentials, readConfig, readCredentials } from './examine-config.ts';
import { examineDisk, examineFolder, examineLocks } from './examine-folders.ts';
import { examineOpenFiles, examinePorts } from './examine-machine.ts';
import { examineTarget } from './examine-target.ts';
import { examineGo, examineK6, examineNode, hasK6 } from './examine-tools.ts';

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
  const credentials = readCredentials(env);
  const known = 'value' in config ? config.value : null;
  const bases = known?.target.bases ?? null;
  return [
    examineNode(),
    examineGo(env, () => hasK6(ROOT, env)),
    examineK6(ROOT, env),
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
