import { exitStatus } from '../../contracts/exit-code.ts';
import { formatInstant } from '../../core/time.ts';
import { ABSENT, signedUsd, usd } from '../../report/words/figure-text.ts';
import type { KeptRun } from './kept-runs.ts';

const HEAD = ['run', 'began (UTC)', 'target', 'exit', 'charged', 'certainly over', 'verdict'] as const;

/** The runs as a table, in their order. */
export function runLines(runs: readonly KeptRun[]): readonly string[] {
  if (runs.length === 0) return ['no run is kept'];
  const rows = [HEAD, ...runs.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf({ id, began_ms, target, verdict }: KeptRun): readonly string[] {
  const status = verdict === null ? ABSENT : String(exitStatus(verdict.exits.map(({ code }) => code)));
  const words = verdict === null ? 'no verdict' : (verdict.exits[0]?.why ?? 'nothing stands against it');
  return [
    id,
    formatInstant(began_ms).slice(0, 16).replace('T', ' '),
    target.name,
    status,
    usd(verdict?.money?.charged ?? null),
    signedUsd(verdict?.money?.certain_over ?? null),
    words.replaceAll(/\s+/g, ' '),
  ];
}
