import type { BucketBillResult } from '../../contracts/bucket-bill.ts';
import { plural } from '../../text/plural.ts';
import { billFigure, billIdentity, billWords, zoneWords } from '../words/bill-words.ts';
import { type Block, fold, type Section, table, text } from './report-document.ts';

const MOST_ROWS = 30;

/** A bill that tells sums, against the charges of the same time. */
export function bucketSection(bill: BucketBillResult): Section {
  return {
    id: 'bucket-bill',
    title: 'The bill in buckets',
    blocks: [
      text(`${billWords(bill)}.`),
      text(`${billIdentity(bill)}.`),
      ...differingBlocks(bill),
      ...modelBlocks(bill),
      ...unassignedBlocks(bill),
      { type: 'list', items: readWords(bill) },
    ],
  };
}

function differingBlocks(bill: BucketBillResult): readonly Block[] {
  const { differing, unit } = bill;
  if (differing.length === 0) return [];
  const amount = (figure: string): string => billFigure(figure, unit);
  const shown = differing.slice(0, MOST_ROWS);
  const all = bill.buckets - bill.agrees;
  return [
    text('Buckets that do not agree, the largest first'),
    table(
      ['bucket', 'model', '#billed', '#ours', '#over', '#under', '#open', 'verdict', 'why'],
      shown.map(({ start, model, billed, ours, over, under, open, verdict, why }) => [
        start,
        model,
        amount(billed),
        amount(ours),
        amount(over),
        amount(under),
        amount(open),
        verdict.replaceAll('_', ' '),
        why,
      ]),
    ),
    ...(all > shown.length
      ? [text(`and ${plural(all - shown.length, 'bucket')} more; bill.csv has all`)]
      : []),
  ];
}

function modelBlocks({ by_model, unit }: BucketBillResult): readonly Block[] {
  const amount = (figure: string): string => billFigure(figure, unit);
  const rows = by_model.map(({ model, billed, ours, over, under, open, agrees, cant_be_told }) => [
    model,
    amount(billed),
    amount(ours),
    amount(over),
    amount(under),
    amount(open),
    String(agrees),
    String(cant_be_told),
  ]);
  const titles = ['model', '#billed', '#ours', '#over', '#under', '#open', '#agree', "#can't be told"];
  if (rows.length <= MOST_ROWS) return [text('By model'), table(titles, rows)];
  return [text('By model'), fold(`all ${rows.length} models`, [table(titles, rows)])];
}

function unassignedBlocks({ unassigned, unit }: BucketBillResult): readonly Block[] {
  if (unassigned.length === 0) return [];
  return [
    text('Billed for no model, or for one that no call names'),
    table(
      ['item', '#rows', '#billed'],
      unassigned.map(({ item, rows, billed }) => [
        item === '' ? 'not named' : item,
        String(rows),
        billFigure(billed, unit),
      ]),
    ),
  ];
}

/** By what the bill was read, and why it counts. */
function readWords(bill: BucketBillResult): readonly string[] {
  const { mapping, rows, quantum, rounding, late_s, late_edges, scope, telling, exceptions } = bill;
  return [
    `Read by ${mapping}: ${plural(rows, 'row')}; ${zoneWords(bill)}.`,
    ...(quantum === null
      ? []
      : [
          `Each row is rounded to ${billFigure(quantum, 'USD')}${rounding === 'any' ? ', in whichever way' : `, ${ROUNDED[rounding]}`}.`,
        ]),
    late_edges === 0
      ? 'No charge needs to be late.'
      : `Charges are late by up to ${minutesText(late_s)}, over ${plural(late_edges, 'end')} of buckets.`,
    scope === 'declared'
      ? 'It is said to be of these calls alone (--bill-whole).'
      : `${telling - exceptions} of ${plural(telling, 'bucket')} that could show a difference show none: ${
          scope === 'habit' ? 'it is of these calls alone' : 'too few to say that it is of these calls alone'
        }.`,
  ];
}

const ROUNDED = { nearest: 'to the nearest', down: 'down', up: 'up' } as const;

function minutesText(seconds: number): string {
  return seconds % 3_600 === 0 ? plural(seconds / 3_600, 'hour') : plural(Math.ceil(seconds / 60), 'minute');
}
