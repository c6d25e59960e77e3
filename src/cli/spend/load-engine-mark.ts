import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { heldBy } from '../../state/lock-owner.ts';
import { stillRunning } from '../../state/running-mark.ts';

const NAME = /^\.k6-.+\.running$/;

/** Where the load engine of an instance is named while it runs. */
export function engineMark(runDir: string, instance: string): string {
  return join(runDir, `.k6-${instance}.running`);
}

/** Which load engine of a run still runs, in words: that of a killed run goes on until its calls have ended. Null for none. */
export function runningEngine(runDir: string): string | null {
  for (const name of readdirSync(runDir).filter((each) => NAME.test(each))) {
    const path = join(runDir, name);
    const owner = stillRunning(path);
    if (owner !== null)
      return `${heldBy(owner, Date.now()).replace(' holding it since ', ' running since ')} (${path})`;
  }
  return null;
}
