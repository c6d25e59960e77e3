import type { RecordsRound } from './records-round.ts';
import type { JsonRound, Rounds, ServerName, StreamRound } from './rounds.ts';

export interface Judged {
  readonly what: string;
  readonly found: string;
  readonly target: string;
  readonly met: boolean;
}

/** A page among all records may take this many times that among a thousandth of them. */
const CONSTANT = 3;

/** Each server by the better of its rounds: what else the machine does only ever makes one worse. */
export function judge(
  json: Rounds<JsonRound>,
  streams: Rounds<StreamRound>,
  records: RecordsRound,
): readonly Judged[] {
  const least = (server: ServerName, figure: (round: StreamRound) => number): number =>
    Math.min(...streams.filter((one) => one.server === server).map(({ round }) => figure(round)));
  const ratio = (figure: (round: StreamRound) => number): number =>
    least('gateway', figure) / least('bare', figure);
  const perSecond = (server: ServerName): number =>
    Math.max(...json.filter((one) => one.server === server).map(({ round }) => round.per_s));
  const pages = records.pages.map(({ page_us }) => page_us);
  const growth = (pages.at(-1) ?? Number.NaN) / (pages[0] ?? Number.NaN);
  return [
    atMost(
      'p99 lateness ÷ bare',
      ratio(({ lateness }) => lateness?.p99_ms ?? Number.NaN),
      1.2,
    ),
    atMost(
      'CPU per event ÷ bare',
      ratio(({ cpu_us }) => cpu_us),
      1.2,
    ),
    atLeast('requests/s ÷ bare', perSecond('gateway') / perSecond('bare'), 0.5),
    atMost(
      'kB per open stream',
      least('gateway', ({ kb_per_stream }) => kb_per_stream),
      35,
    ),
    atMost('MB with all usage records', records.rss_mb, 600),
    atMost('page time, last ÷ first', growth, CONSTANT),
  ];
}

function atMost(what: string, found: number, target: number): Judged {
  return { what, found: found.toFixed(2), target: `≤ ${target}`, met: found <= target };
}

function atLeast(what: string, found: number, target: number): Judged {
  return { what, found: found.toFixed(2), target: `≥ ${target}`, met: found >= target };
}
