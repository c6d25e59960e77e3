import { dirname, resolve } from 'node:path';
import { placeOf } from '../folder/run-folder.ts';
import { type FolderReport, type JudgedFolder, writeFolderReport } from '../judge/judge-folder.ts';
import { refreshIndex } from './refresh-index.ts';

/** Writes the report of a judged folder, and lists it in the index of the runs under `out`. */
export function writeListedReport(runDir: string, judged: JudgedFolder, out: string): FolderReport {
  const report = writeFolderReport(runDir, judged, placeOf(runDir));
  // A ledger may be given wherever it stands: an index.html beside it is somebody else's.
  if (dirname(resolve(runDir)) === resolve(out)) refreshIndex(runDir);
  return report;
}
