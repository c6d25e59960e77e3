import { printTable } from '../common/print-table.ts';
import type { JsonRound, Rounds, StreamRound } from './rounds.ts';
import type { Judged } from './targets.ts';

export function printJson(rounds: Rounds<JsonRound>): void {
  printTable([
    ['server', 'requests/s', 'CPU µs/request'],
    ...rounds.map(({ server, round }) => [server, round.per_s.toFixed(0), round.cpu_us.toFixed(1)]),
  ]);
}

export function printStreams(rounds: Rounds<StreamRound>): void {
  printTable([
    [
      'server',
      'events',
      'most open',
      'CPU µs/event',
      'late p50 ms',
      'late p99 ms',
      'late max ms',
      'kB/stream',
    ],
    ...rounds.map(({ server, round }) => [
      server,
      String(round.events),
      String(round.most_open),
      round.cpu_us.toFixed(1),
      shown(round.lateness?.p50_ms),
      shown(round.lateness?.p99_ms),
      shown(round.lateness?.max_ms),
      round.kb_per_stream.toFixed(1),
    ]),
  ]);
}

export function printTargets(judged: readonly Judged[]): void {
  printTable([
    ['', 'found', 'target', ''],
    ...judged.map(({ what, found, target, met }) => [what, found, target, met ? 'met' : 'MISSED']),
  ]);
  console.log(`${judged.filter(({ met }) => met).length} of ${judged.length} targets met`);
}

function shown(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(2);
}
