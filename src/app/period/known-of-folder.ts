import { runOfPart } from '../../ledger/one-run.ts';
import type { SuspenseHome } from '../carry-over/keep-suspense.ts';
import { KnownKeeper } from '../evidence/keep-known.ts';
import type { JudgedFolder } from '../judge/judge-folder.ts';
import type { Notices } from '../notices/notices.ts';

/** Keeps in a folder what else used the keys of its bill. */
export function knownKeeper(runDir: string, { dir, keys }: SuspenseHome, { err: say }: Notices): KnownKeeper {
  return new KnownKeeper({ runDir, home: dir, keys, say });
}

/** For `KnownKeeper.judged`: the runs of its own ledger are no others. */
export function knownOf({ reconciliation, ledger }: JudgedFolder) {
  return { reconciliation, own: ledger.headers.map(({ run_id }) => runOfPart(run_id)) };
}
