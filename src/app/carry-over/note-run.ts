import { resolve } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { formatInstant } from '../../core/time.ts';
import { listRun } from '../../state/listed-runs.ts';

/** A run as the list of its target names it. */
export interface NotedRun {
  readonly run_id: string;
  readonly runDir: string;
  /** Fingerprint of its key. */
  readonly key_fp: string | null;
  /** From when on it sends, ms since the epoch. */
  readonly sent_ms: number;
}

/** Before its first paid call: whoever judges another run of the target then knows of its calls, also after a crash. */
export async function noteSending(home: string | null, run: NotedRun): Promise<void> {
  if (home !== null) await listRun(home, lineOf(run, null));
}

/** After its last read. Where that cannot be written, its end counts as not known, and the verdict stands. */
export async function noteEnd(
  home: string | null,
  run: NotedRun,
  { last_end, say }: { readonly last_end: string; readonly say: (line: string) => void },
): Promise<void> {
  if (home === null) return;
  try {
    await listRun(home, lineOf(run, last_end));
  } catch (error) {
    if (!(error instanceof WeighbridgeError)) throw error;
    say(`The end of run ${run.run_id} could not be recorded: ${error.message}`);
  }
}

function lineOf({ run_id, runDir, key_fp, sent_ms }: NotedRun, last_end: string | null) {
  return { run_id, folder: resolve(runDir), key_fp, first_sent: formatInstant(sent_ms), last_end };
}
