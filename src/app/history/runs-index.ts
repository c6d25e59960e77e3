import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Result, resultSchema } from '../../contracts/result.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { runsIndexHtml } from '../../report/runs-index/runs-index-html.ts';
import { placeOf } from '../folder/run-folder.ts';
import { type FolderReport, type JudgedFolder, writeFolderReport } from '../judge/judge-folder.ts';

/** Writes index.html beside the folder of a run: all runs there, as their results stand. */
export function refreshIndex(runDir: string): void {
  const parent = dirname(runDir);
  const runs = readdirSync(parent)
    .filter((folder) => existsSync(join(parent, folder, 'result.json')))
    .map((folder) => ({ folder, result: readResult(join(parent, folder, 'result.json')) }));
  const path = join(parent, 'index.html');
  replaceFile(path, runsIndexHtml(runs));
}

/** Null for one of another version, or damaged: the others are listed all the same. */
function readResult(file: string): Result | null {
  try {
    const parsed = resultSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Writes the report of a judged folder, and lists it in the index of the runs under `out`. */
export function writeListedReport(runDir: string, judged: JudgedFolder, out: string): FolderReport {
  const report = writeFolderReport(runDir, judged, placeOf(runDir));
  // A ledger may be given wherever it stands: an index.html beside it is somebody else's.
  if (dirname(resolve(runDir)) === resolve(out)) refreshIndex(runDir);
  return report;
}
