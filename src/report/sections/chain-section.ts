import type {
  AloneReason,
  ChainLine,
  ChainResult,
  ChainSums,
  LinkWay,
} from '../../contracts/chain-result.ts';
import { plural } from '../../text/plural.ts';
import { CHAIN_TITLES, chainWords } from '../words/chain-words.ts';
import { ABSENT, usd } from '../words/figure-text.ts';
import { type Block, type Section, table, text } from './report-document.ts';

const MOST_ROWS = 60;

const ALONE: Readonly<Record<AloneReason, string>> = {
  unbilled: 'unbilled: a record had to come, and none did',
  waiting: 'a record may still come, or settle',
  not_read: 'its records were not read whole',
  let_off: 'the call failed for the customer, and none was due',
  edge: 'within an hour of an end of the period, where its record may be dated outside',
  strange: 'no call or record of these books is its own: sold to others, or unbilled',
  no_call: 'the bill names no model for it: a tax, a fee',
};

const WAYS: Readonly<Record<LinkWay, string>> = {
  marker: 'marker of the prompt',
  id: 'id of the request or answer',
  fingerprint: 'model, tokens and time',
  sum: 'sums of the bill, by model and time',
};

/** What the gateway sold against what it bought for it. */
export function chainSection(chain: ChainResult): Section {
  return {
    id: 'chain',
    title: 'What was bought for it',
    blocks: [
      text(`${chainWords(chain)}.`),
      ...findingBlocks(chain),
      ...aloneBlocks(chain),
      text('By UTC day and model of the sale'),
      sumsTable(chain),
      text('What was bought under which name'),
      table(
        ['sold', 'bought', '#calls', '#revenue', '#cost'],
        chain.models.map(({ sold, bought, calls, revenue, cost }) => [
          sold,
          bought,
          String(calls),
          usd(revenue),
          usd(cost),
        ]),
      ),
      text('How sales and purchases were brought together'),
      table(
        ['by', '#sales', '#purchases'],
        chain.links.map(({ by, sales, purchases }) => [WAYS[by], String(sales), String(purchases)]),
      ),
    ],
  };
}

function findingBlocks({ findings }: ChainResult): readonly Block[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, MOST_ROWS);
  return [
    table(
      ['finding', 'day', 'model', '#USD', 'sure', 'why', 'warrant', '@request'],
      shown.map(({ class: name, day, model, amount, confidence, why, warrant, request_id }) => [
        CHAIN_TITLES[name],
        day ?? ABSENT,
        model,
        usd(amount),
        confidence,
        why,
        `${warrant.kind}: ${warrant.of}`,
        request_id ?? ABSENT,
      ]),
    ),
    ...moreText(findings.length - shown.length, 'finding'),
  ];
}

/** What no finding tells of: it may be right. */
function aloneBlocks({ alone, sold_again, outside, unknown, total }: ChainResult): readonly Block[] {
  const rows = [
    ...alone.map(({ why, count, amount }) => [`bought: ${ALONE[why]}`, String(count), usd(amount)]),
    ...(sold_again.count === 0
      ? []
      : [
          [
            'sold again: by a cache of the gateway, or billed twice',
            String(sold_again.count),
            usd(sold_again.amount),
          ],
        ]),
    ...(outside.count === 0
      ? []
      : [['bought before or after all sales, in no sum', String(outside.count), usd(outside.amount)]]),
  ];
  return [
    ...(rows.length === 0 ? [] : [table(['alone', '#calls', '#USD'], rows)]),
    ...(/[1-9]/.test(total.sold_alone)
      ? [
          text(
            `Sold without a purchase: ${usd(total.sold_alone)}. A cache of the gateway sells so, or the file lacks calls.`,
          ),
        ]
      : []),
    ...(/[1-9]/.test(total.retried)
      ? [text(`Attempts before the last one of a call cost ${usd(total.retried)}, inside the cost.`)]
      : []),
    ...(unknown.sales + unknown.purchases === 0
      ? []
      : [
          text(
            `In no sum, for their amount is not known: ${plural(unknown.sales, 'sale')}, ${plural(unknown.purchases, 'purchase')}.`,
          ),
        ]),
  ];
}

function sumsTable({ lines, total }: ChainResult): Block {
  return table(
    ['day', 'model', '#sales', '#purchases', '#revenue', '#cost', '#margin', '#sold alone', '#bought alone'],
    [
      ...lines.slice(0, MOST_ROWS).map((line) => [line.day ?? ABSENT, line.model, ...cells(line)]),
      ...(lines.length > MOST_ROWS
        ? [
            [
              `${plural(lines.length - MOST_ROWS, 'line')} more`,
              'chain.csv has all',
              '',
              '',
              '',
              '',
              '',
              '',
              '',
            ],
          ]
        : []),
      ['all', '', ...cells(total)],
    ],
    1,
  );
}

function cells({ sales, purchases, revenue, cost, margin, sold_alone, bought_alone }: ChainSums | ChainLine) {
  return [String(sales), String(purchases), ...[revenue, cost, margin, sold_alone, bought_alone].map(usd)];
}

function moreText(more: number, what: string): readonly Block[] {
  return more > 0 ? [text(`and ${plural(more, what)} more, in result.json`)] : [];
}
