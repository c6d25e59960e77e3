import { ABSENT, ms, rateText } from '../../report/words/figure-text.ts';
import type { Figures } from '../notices/progress.ts';

export type Tone = 'plain' | 'strong' | 'muted' | 'good' | 'warning' | 'bad';

export interface KindColumn {
  readonly title: string;
  /** In a table of little room: the least important columns, those of the highest number, are left out first. */
  readonly rank: number;
  readonly cell: (figures: Figures) => string;
  readonly tone?: (figures: Figures) => Tone;
}

/** What is told of each kind of call, in the order in which it stands on a terminal and on the page. */
export const KIND_COLUMNS: readonly KindColumn[] = [
  { title: 'asked/s', rank: 6, cell: ({ asked_rate }) => rateText(asked_rate) },
  { title: 'got/s', rank: 3, cell: ({ started_rate }) => rateText(started_rate) },
  { title: 'in flight', rank: 4, cell: ({ in_flight }) => String(in_flight) },
  { title: 'ok', rank: 0, cell: ({ ok }) => String(ok) },
  {
    title: 'failed',
    rank: 0,
    cell: ({ failed }) => String(failed),
    tone: ({ failed }) => (failed > 0 ? 'bad' : 'plain'),
  },
  {
    title: 'dropped',
    rank: 9,
    cell: ({ dropped }) => String(dropped),
    tone: ({ dropped }) => (dropped > 0 ? 'warning' : 'plain'),
  },
  { title: 'TTFT p50', rank: 7, cell: ({ ttft }) => ms(ttft?.p50_ms) },
  { title: 'TTFT p95', rank: 2, cell: ({ ttft }) => ms(ttft?.p95_ms) },
  { title: 'e2e p50', rank: 8, cell: ({ e2e }) => ms(e2e?.p50_ms) },
  { title: 'e2e p95', rank: 1, cell: ({ e2e }) => ms(e2e?.p95_ms) },
  {
    title: 'tokens/s',
    rank: 5,
    cell: ({ tokens_per_s }) => (tokens_per_s === null ? ABSENT : String(Math.round(tokens_per_s.output))),
  },
];
