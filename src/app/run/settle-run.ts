import { basename } from 'node:path';
import { OtherCallsKeeper } from '../evidence/keep-other-calls.ts';
import { readsAccount } from '../evidence/poll-during-load.ts';
import { settle } from '../evidence/settle.ts';
import { FolderReader } from '../folder/folder-reader.ts';
import { reconcileFolder } from '../judge/judge-folder.ts';
import type { AuditStage } from './audit-stage.ts';

/** Reads until the bill is judged by what is known, and tells each round to who looks on. */
export async function settleRun(stage: AuditStage) {
  const { weighed, runDir, config, live, interrupts } = stage;
  const folder = new FolderReader(runDir);
  const own = [basename(runDir)];
  const others = new OtherCallsKeeper({
    runDir,
    home: stage.home,
    keys: weighed.credentials.keyFps,
    say: stage.notices.err,
  });
  live.settlementBegins();
  return settle({
    readers: weighed.readers,
    runDir,
    startS: stage.startS,
    waitMs: config.settle.wait_ms,
    pollMs: config.settle.poll_ms,
    account: readsAccount(weighed.credentials),
    runId: basename(runDir),
    archive: stage.archive,
    judge: () =>
      others.judged(
        () => reconcileFolder(folder),
        (reconciliation) => ({ reconciliation, own }),
      ),
    onRound: (round) => live.settling(round),
    interrupted: () => interrupts.count() > 1,
  });
}
