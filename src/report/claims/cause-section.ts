import { causeOf } from '../../contracts/acceptance.ts';
import type { FaultClass } from '../../contracts/fault-class.ts';
import { formatAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { termWords } from '../explain/render-explanation.ts';
import { type Block, type Section, table, text } from '../sections/report-document.ts';
import { ABSENT, sumText, usd } from '../words/figure-text.ts';
import { findingTitle } from '../words/finding-title.ts';
import { claimAmount } from './claimable.ts';
import { type ExplainedClaim, momentOf } from './claims-csv.ts';
import type { LetterKind } from './untold-words.ts';

/** Price lines that one cause is shown by; explanations.txt has them all. */
const SHOWN = 5;

/** One cause is one claim: what its requests come to together, and one of them to be checked by hand. */
export function causeSection(
  kind: LetterKind,
  claims: readonly ExplainedClaim[],
  books: ServedBooks,
): Section {
  const [first] = claims;
  if (first === undefined) throw new Error('a cause without a claim');
  const { finding } = first;
  const { section, sentence } = brokenRule(finding.class);
  const prices = [...new Set(claims.flatMap((claim) => priceLines(claim, books)))];
  const example = claims.reduce((most, each) =>
    claimAmount(each.claim.amount) > claimAmount(most.claim.amount) ? each : most,
  );
  const { explained } = example;
  const why = explained.findings.find(({ id }) => id === example.claim.finding)?.explanation;
  const columns = COLUMNS[kind];
  const blocks: Block[] = [
    text(sumWords(kind, claims)),
    text(`The description of the service says (${section}): “${sentence}”`),
    text(`Our evidence: ${finding.warrant.of} (${finding.warrant.kind}).`),
    ...(prices.length === 0
      ? []
      : [
          text('These lines of the price list apply:'),
          { type: 'list', items: [...prices.slice(0, SHOWN), ...more(prices.length)] } as const,
        ]),
    text('An example to check by hand:'),
    table(
      columns.map(([name]) => name),
      [columns.map(([, read]) => read(example) ?? ABSENT)],
    ),
    ...(explained.price.lines.length === 0
      ? []
      : [{ type: 'list', items: explained.price.lines.map(termWords) } as const]),
    ...(why === undefined ? [] : [text(why)]),
  ];
  return { id: causeOf(finding).replaceAll(/\W/g, '-'), title: causeTitle(first), blocks };
}

/** Class and scope of a cause. */
export function causeTitle({ finding, claim }: ExplainedClaim): string {
  return [findingTitle(finding), ...(claim.model === null ? [] : [claim.model])].join(', ');
}

/** Charged and due stand only where they differ by what is claimed: else a request has no figure, or more than one row. */
function sumWords(kind: LetterKind, claims: readonly ExplainedClaim[]): string {
  const times = claims.flatMap(({ explained }) => momentOf(explained) ?? []).toSorted();
  const [from, to] = [times[0] ?? ABSENT, times.at(-1) ?? ABSENT];
  const when = from === to ? `at ${from}` : `from ${from} to ${to}`;
  const charged = sumText(claims.map(({ explained }) => explained.charged));
  const due = sumText(claims.map(({ explained }) => explained.expected));
  const taken = claims.reduce(
    (sum, { claim }) => sum + claimAmount(claim.amount) - claimAmount(claim.held),
    0n,
  );
  const claimed = claims.reduce((sum, { claim }) => sum + claimAmount(claim.amount), 0n);
  const known = charged !== null && due !== null && claimAmount(charged) - claimAmount(due) === taken;
  const sums = [
    ...(known ? [`charged ${usd(charged)}`, `due ${usd(due)}`] : []),
    ...(kind === 'claim' ? [`claimed ${usd(formatAmount(claimed))}`] : []),
  ];
  return `${plural(claims.length, 'request')}, ${when} (UTC)${sums.length === 0 ? '' : `: ${sums.join(', ')}`}.`;
}

/** How a price book came to us, behind its name. */
export type ServedBooks = (sha256: string) => string;

type Column = readonly [string, (claim: ExplainedClaim) => string | null];

const REQUEST: Column = ['request id', ({ claim }) => claim.request_id];
const RECORDS: Column = ['records', ({ claim }) => claim.records.map(({ id }) => id).join('\n')];

const COLUMNS: { readonly [K in LetterKind]: readonly Column[] } = {
  claim: [
    REQUEST,
    RECORDS,
    ['#charged', ({ explained }) => explained.charged],
    ['#due', ({ explained }) => dueText(explained)],
    ['#claimed', ({ claim }) => claim.amount],
  ],
  question: [
    REQUEST,
    ['time', ({ explained }) => momentOf(explained)],
    RECORDS,
    ['#we computed', ({ explained }) => dueText(explained)],
    ['#you charged', ({ explained }) => explained.charged],
    ['#still held', ({ claim }) => claim.held],
  ],
};

function dueText({ expected, expected_hi }: ExplainedClaim['explained']): string | null {
  return expected ?? (expected_hi === null ? null : `at most ${expected_hi}`);
}

function priceLines(
  { explained: { price, records } }: ExplainedClaim,
  books: ServedBooks,
): readonly string[] {
  const model = records[0]?.model ?? '';
  const { book } = price;
  const where =
    book === null
      ? ''
      : `, ${[book.id, book.version].filter((part) => part !== null).join(' version ')}${books(book.sha256)}`;
  return price.lines
    .filter(({ meter }) => !meter.startsWith('adjustment:'))
    .map(
      ({ meter, price: each, per }) =>
        `${model}: ${meter} $${each}${per === '1' ? '' : ` per ${per}`}${where}`,
    );
}

function more(count: number): readonly string[] {
  return count > SHOWN ? [`and ${count - SHOWN} more, in explanations.txt`] : [];
}

/** A sentence of the service's own description. */
interface InterfaceSentence {
  readonly section: string;
  readonly sentence: string;
}

const CHARGED_ONCE: InterfaceSentence = {
  section: '1, What the service does, 6',
  sentence: "Each completed model request is charged against the account's USD credit.",
};

const BY_USAGE: InterfaceSentence = {
  section: '2, Pricebook',
  sentence:
    'It is the same price book as the public pricing view; the final charge is set by actual usage and applicable adjustments.',
};

const FAILED_TASK: InterfaceSentence = {
  section: '3, Rules on reading status, 3',
  sentence:
    "For `failed`, polling stops; the task's `error` is read and the credit adjustment appears in usage.",
};

/** What is charged although no completed request stands behind it. */
const WITHOUT_REQUEST: readonly FaultClass[] = [
  'duplicate_charge',
  'retry_double_charge',
  'phantom_record',
  'charged_on_rejected',
  'charged_on_server_error',
  'charged_empty_output',
  'reservation_leak',
  'state_regression',
];

/** The sentence that a charge of this class breaks; every other claim is about the price or the units. */
export function brokenRule(named: FaultClass): InterfaceSentence {
  if (named === 'failed_task_not_refunded') return FAILED_TASK;
  return WITHOUT_REQUEST.includes(named) ? CHARGED_ONCE : BY_USAGE;
}
