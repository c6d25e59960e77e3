import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { UPSTREAM_FILE } from '../../reconcile/input/load-reconcile-input.ts';
import { readUpstreamJournal } from '../../reconcile/records/upstream-calls.ts';

/**
 * Copies the journal of a gateway that stood behind the target into the run folder, whose plan says by which nonce its
 * calls are marked. Throws `journal_missing`, `journal_without_plan` and `journal_corrupt` (exit 2).
 */
export async function keepUpstream(runDir: string, file: string): Promise<void> {
  if (!existsSync(join(runDir, 'plan.json')))
    throw refused(
      'journal_without_plan',
      `a run of ours for --upstream-journal, found no plan.json in ${runDir}`,
    );
  if (!existsSync(file)) throw refused('journal_missing', `a journal, found nothing at ${file}`);
  await readUpstreamJournal(file);
  const copy = join(runDir, UPSTREAM_FILE);
  if (!existsSync(copy) || file !== copy) copyFileSync(file, copy);
}

function refused(code: string, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code,
    message: `expected ${what}`,
    hint: 'give the file that `weighbridge gateway --upstream --journal FILE` wrote behind the target, with --run of the run that called it',
  });
}
