import { exitStatus } from '../core/exit-code.ts';
import { renderVerdict } from '../report/render-verdict.ts';
import type { FolderReport } from './judge-folder.ts';
import type { Terminal } from './terminal.ts';

/** Prints a run's verdict, with `--json` as one last line for programs. Returns the exit status. */
export function printVerdict(
  terminal: Terminal,
  {
    runDir,
    report,
    json,
  }: { readonly runDir: string; readonly report: FolderReport; readonly json: boolean },
): number {
  const { result, paths } = report;
  for (const line of renderVerdict(result, { width: terminal.width, report: paths.html })) {
    if (json) terminal.err(line);
    else terminal.out(line);
  }
  const codes = [...new Set(result.exit_codes.map((exit) => exit.code))];
  if (json)
    terminal.out(
      JSON.stringify({ run_id: result.run_id, dir: runDir, result: paths.result, exit_codes: codes }),
    );
  return exitStatus(codes);
}
