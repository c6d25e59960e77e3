import { plural } from '../../src/text/plural.ts';
import { BESIDE } from './beside.ts';
import type { MissingPeer, PeerFigures, PeerResults } from './peer-figures.ts';

const BEGIN = '<!-- bench:peers -->';
const END = '<!-- /bench:peers -->';

/** The page with the tables of these results in the place of those it has. */
export function pageWith(page: string, results: PeerResults): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`expected ${BEGIN} and ${END} on the page`);
  return `${page.slice(0, before + BEGIN.length)}\n\n${tables(results)}\n\n${page.slice(after)}`;
}

function tables({ started, rounds, machine, load, peers }: PeerResults): string {
  const day = started.slice(0, 10);
  return [
    `Measured on ${day}: ${machine}. ${load.per_s} streams a second for ${load.seconds} s, at most ${load.max_tokens} tokens each. Middles of ${plural(rounds, 'round')}.`,
    markdown(
      [
        'tool',
        'CPU s per 1,000 calls',
        'peak MB',
        'TTFT error p50 / p99, ms',
        'e2e error p50 / p99, ms',
        'calls',
        'CPU s of others',
      ],
      peers.map((peer) => ('missing' in peer ? missingRow(peer) : row(peer))),
    ),
    markdown(
      ['tool', 'command, `$URL` the gateway, `$KEY` its key, `$OUT` a folder'],
      peers.flatMap((peer) =>
        'missing' in peer ? [] : [[`${peer.name} ${peer.version}`, `\`${peer.command}\``]],
      ),
    ),
    markdown(
      ['tool', 'has, and we lack', 'lacks, and we have'],
      peers.flatMap(({ name }) => {
        const beside = BESIDE[name];
        return beside === undefined ? [] : [[name, beside.has, beside.lacks]];
      }),
    ),
  ].join('\n\n');
}

function row(peer: PeerFigures): string[] {
  const { ttft_error_ms: ttft, e2e_error_ms: e2e } = peer;
  return [
    `${peer.name} ${peer.version}`,
    peer.cpu_s_per_1000.toFixed(2),
    peer.peak_mb.toFixed(0),
    `${shown(ttft.p50)} / ${shown(ttft.p99)}`,
    `${shown(e2e.p50)} / ${shown(e2e.p99)}`,
    `${peer.completed} of ${peer.calls}`,
    shown(peer.other_cpu_s),
  ];
}

function missingRow({ name, missing }: MissingPeer): string[] {
  return [name, `not measured: ${missing}`, '–', '–', '–', '–', '–'];
}

function shown(value: number | null): string {
  return value === null ? '–' : value.toFixed(1);
}

function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
