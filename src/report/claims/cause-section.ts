import { type FaultClass, TITLE_OF } from '../../contracts/fault-class.ts';
import { type Block, type Section, table, text } from '../sections/report-document.ts';
import { ABSENT } from '../words/figure-text.ts';
import { type ExplainedClaim, momentOf } from './claims-csv.ts';
import type { LetterKind } from './untold-words.ts';

/** Price lines and request ids that one cause is shown by; the table beside the letter has them all. */
const SHOWN = 5;

/** The requests of one cause: the sentence and the prices that they are held against, and the first of them. */
export function causeSection(
  kind: LetterKind,
  cause: ExplainedClaim['claim']['class'],
  claims: readonly ExplainedClaim[],
): Section {
  const { section, sentence } = brokenRule(cause);
  const explanations = claims.flatMap(
    ({ claim, explained }) => explained.findings.find(({ id }) => id === claim.finding)?.explanation ?? [],
  );
  const prices = [...new Set(claims.flatMap(priceLines))];
  const columns = COLUMNS[kind];
  const blocks: Block[] = [
    text(`The description of the service says (${section}): “${sentence}”`),
    ...(prices.length === 0
      ? []
      : [
          text('By these lines of the price book:'),
          { type: 'list', items: [...prices.slice(0, SHOWN), ...more(prices.length)] } as const,
        ]),
    text('For example:'),
    table(
      columns.map(([name]) => name),
      claims.slice(0, SHOWN).map((claim) => columns.map(([, read]) => read(claim) ?? ABSENT)),
    ),
    ...(explanations[0] === undefined ? [] : [text(`Of the first: ${explanations[0]}`)]),
  ];
  return { id: cause, title: TITLE_OF[cause], blocks };
}

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

function priceLines({ explained: { price, records } }: ExplainedClaim): readonly string[] {
  const model = records[0]?.model ?? '';
  const { book } = price;
  const where =
    book === null ? '' : `, ${[book.id, book.version].filter((part) => part !== null).join(' version ')}`;
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
