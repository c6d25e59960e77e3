import type { WrittenBundle } from '../../app/carry-over/write-bundle.ts';
import type { FolderReport } from '../../app/judge/judge-folder.ts';
import { exitStatus } from '../../contracts/exit-code.ts';
import { renderVerdict } from '../../report/terminal/render-verdict.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints a verdict, with `json` as one last line for programs. `bundle` where one was asked for: null where nothing was left
 * to claim. Returns the exit status.
 */
export function printVerdict(
  terminal: Terminal,
  { runDir, result, paths, finding }: FolderReport,
  json: boolean,
  bundle?: WrittenBundle | null,
): number {
  const lines = renderVerdict(result, { width: terminal.width, report: paths.html, finding });
  const exit_codes = [...new Set(result.exit_codes.map((exit) => exit.code))];
  const { cache } = result;
  const more = {
    ...(cache === undefined ? {} : { cache: { lost_usd: cache.lost, saved_usd: cache.saved } }),
    ...(bundle === undefined ? {} : { bundle }),
  };
  for (const line of lines) json ? terminal.err(line) : terminal.out(line);
  if (json)
    terminal.out(
      JSON.stringify({ run_id: result.run_id, dir: runDir, result: paths.result, exit_codes, ...more }),
    );
  return exitStatus(exit_codes);
}

/** Prints `answer` as one line of JSON for programs, or else what `lines` makes of it. */
export function printAnswer(
  terminal: Pick<Terminal, 'out'>,
  json: boolean | undefined,
  answer: unknown,
  lines: () => Iterable<string>,
): void {
  if (json === true) terminal.out(JSON.stringify(answer));
  else for (const line of lines()) terminal.out(line);
}
