import { exitStatus } from '../../contracts/exit-code.ts';
import { renderVerdict } from '../../report/terminal/render-verdict.ts';
import type { FolderReport } from '../judge/judge-folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Prints a run's verdict, with `--json` as one last line for programs. Returns the exit status. */
export function printVerdict(
  terminal: Terminal,
  {
    runDir,
    report,
    json,
    bundle,
  }: {
    readonly runDir: string;
    readonly report: FolderReport;
    readonly json: boolean;
    /** Where one was asked for; null where nothing was left to claim. */
    readonly bundle?: WrittenBundle | null | undefined;
  },
): number {
  const { result, paths, finding } = report;
  for (const line of renderVerdict(result, { width: terminal.width, report: paths.html, finding })) {
    if (json) terminal.err(line);
    else terminal.out(line);
  }
  const codes = [...new Set(result.exit_codes.map((exit) => exit.code))];
  if (json)
    terminal.out(
      JSON.stringify({
        run_id: result.run_id,
        dir: runDir,
        result: paths.result,
        exit_codes: codes,
        ...(bundle === undefined ? {} : { bundle }),
      }),
    );
  return exitStatus(codes);
}
