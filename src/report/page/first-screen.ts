import { escapeHtml } from '../../core/escape-html.ts';
import type { LatencyTables, Result } from '../../core/result.ts';
import { ABSENT, ms, percent, periodText, rate, signedUsd, usdAbout } from '../figure-text.ts';
import {
  clientWords,
  headline,
  moneyWords,
  roundingWords,
  trafficWords,
  wasToDrive,
} from '../verdict-words.ts';
import { factList, verdictHeading } from './page-html.ts';

/** What a reader sees first: the verdict in words, the money, whether the measurement is valid; then the figures. */
export function firstScreen(result: Result): string {
  return `<p class="run">Weighbridge · run ${escapeHtml(result.run_id)}</p>
${verdictHeading(headline(result))}
${factList(facts(result))}
${figuresHtml(figures(result))}`;
}

function facts(result: Result): readonly (readonly [string, string])[] {
  const rounding = roundingWords(result);
  const { load } = result;
  const held = load === null || load.total.held === 0 ? '' : ` · ${load.total.held} held`;
  return [
    ['Money', moneyWords(result)],
    ...(rounding === null ? [] : [['Price book', rounding] as const]),
    ...trafficWords(result),
    ...(wasToDrive(result) ? [['Measurement', clientWords(result.client)] as const] : []),
    ...(load === null
      ? []
      : [
          [
            'Load',
            `${load.total.planned} planned · ${load.total.started} started · ${load.total.dropped} dropped${held} · ${load.total.ok} ok`,
          ] as const,
        ]),
    ['Target', result.target],
    ...(result.period === null ? [] : [['Period', periodText(result.period)] as const]),
  ];
}

type Figure = readonly [name: string, value: string, unit: string];

function figures({ load, money, coverage }: Result): readonly Figure[] {
  return [
    ...(money === null
      ? []
      : [
          ['Difference', signedUsd(money.difference), 'charged − expected'] as const,
          ['Checked to the digit', percent(coverage?.to_the_digit ?? null), 'of charged USD'] as const,
        ]),
    ...(load === null
      ? []
      : [
          ['Good calls', percent(load.total.attainment), `${rate(load.total.goodput)}/s`] as const,
          time('TTFT', load.total.latency.ttft),
          time('ITL', load.total.latency.itl),
          time('e2e', load.total.latency.e2e),
          [
            'Per 1,000 good calls',
            `${load.total.usd_per_1000_good_at_most ? '≤ ' : ''}${usdAbout(load.total.usd_per_1000_good, load.total.usd_per_1000_good_at_most)}`,
            'USD, all calls paid',
          ] as const,
        ]),
  ];
}

function time(name: string, table: LatencyTables[keyof LatencyTables]): Figure {
  return [`${name} p95`, table === null ? ABSENT : `${ms(table.p95)} ms`, `p50 ${ms(table?.p50)} ms`];
}

/** So many characters fill a card of a phone: what is longer is set smaller there, not broken inside a number. */
const LONG_FIGURE = 10;

function figuresHtml(all: readonly Figure[]): string {
  const items = all.map(
    ([name, value, unit]) =>
      `<div><dt>${escapeHtml(name)}</dt><dd${value.length > LONG_FIGURE ? ' class="long"' : ''}>${escapeHtml(value)}</dd><dd class="unit">${escapeHtml(unit)}</dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
}
