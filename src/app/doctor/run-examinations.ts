import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Examination, Seen } from './examination.ts';

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
  if (!mend || examination.mend === null || first.fix === null) return told(name, first);
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
