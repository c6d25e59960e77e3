import { formatAmount } from '../../core/amount.ts';
import { TITLE_OF } from '../../core/fault-class.ts';
import { plural } from '../../core/plural.ts';
import { ABSENT, usd } from '../figure-text.ts';
import { type Block, type Section, table, text } from '../report-document.ts';
import { brokenRule } from './broken-rule.ts';
import type { BundleBook, BundleInput } from './bundle-input.ts';
import { amountOf } from './claimable.ts';
import type { ExplainedClaim } from './claims-csv.ts';
import { MANIFEST } from './manifest.ts';
import type { NamedApart } from './named-apart.ts';

export interface LetterInput extends Pick<BundleInput, 'result' | 'books' | 'reads'> {
  readonly id: string;
  readonly claims: readonly ExplainedClaim[];
  readonly apart: readonly NamedApart[];
  readonly left_out: readonly string[];
}

export interface Letter {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** Price lines and request ids that one cause is shown by; claims.csv has them all. */
const SHOWN = 5;

export function letterOf(input: LetterInput): Letter {
  const { id, claims, result } = input;
  const period = result.period === null ? ABSENT : `${result.period.start} to ${result.period.end}`;
  const causes = [...Map.groupBy(claims, ({ claim }) => claim.class)].toSorted(([, left], [, right]) => {
    const difference = sumOf(right) - sumOf(left);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  return {
    title: `Claim ${id}: ${usd(formatAmount(sumOf(claims)))} charged too much`,
    sections: [
      {
        id: 'claim',
        title: 'What is claimed',
        blocks: [
          text(
            `To the support of ${result.target}. From ${period} (UTC), ${plural(claims.length, 'request')} of our account ` +
              `cost ${usd(formatAmount(sumOf(claims)))} more than they can cost. Please give that back.`,
          ),
          table(
            ['cause', '#requests', '#USD', '#of it held, not charged'],
            causes.map(([cause, own]) => [
              TITLE_OF[cause],
              String(own.length),
              formatAmount(sumOf(own)),
              formatAmount(own.reduce((sum, { claim }) => sum + amountOf(claim.held), 0n)),
            ]),
          ),
          text(
            'Only what is certain is claimed: where the evidence leaves an interval, its least. Each request stands in claims.csv, ' +
              'and in explanations.txt with its call, its record, its price and the sum term by term.',
          ),
        ],
      },
      ...causes.map(([cause, own]) => causeSection(cause, own)),
      apartSection(input.apart),
      groundSection(input),
      { id: 'left-out', title: 'What is left out', blocks: [{ type: 'list', items: input.left_out }] },
      {
        id: 'check',
        title: 'To check this bundle',
        blocks: [
          text(`${MANIFEST} has the SHA-256 of every file beside it, and says how it is signed.`),
          { type: 'code', text: `sha256sum --check ${MANIFEST}` },
        ],
      },
    ],
  };
}

function causeSection(cause: ExplainedClaim['claim']['class'], claims: readonly ExplainedClaim[]): Section {
  const { section, sentence } = brokenRule(cause);
  const explanations = claims.flatMap(
    ({ claim, explained }) => explained.findings.find(({ id }) => id === claim.finding)?.explanation ?? [],
  );
  const prices = [...new Set(claims.flatMap(priceLines))];
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
      ['request id', 'records', '#charged', '#due', '#claimed'],
      claims
        .slice(0, SHOWN)
        .map(({ claim, explained }) => [
          claim.request_id ?? ABSENT,
          claim.records.map(({ id }) => id).join('\n'),
          explained.charged ?? ABSENT,
          explained.expected ??
            (explained.expected_hi === null ? ABSENT : `at most ${explained.expected_hi}`),
          claim.amount,
        ]),
    ),
    ...(explanations[0] === undefined ? [] : [text(`Of the first: ${explanations[0]}`)]),
  ];
  return { id: cause, title: TITLE_OF[cause], blocks };
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

function apartSection(apart: readonly NamedApart[]): Section {
  const rows = apart.map(({ what, findings, lo, hi, words }) => [
    APART[what],
    findings === 0 ? ABSENT : String(findings),
    lo === hi ? (lo ?? ABSENT) : `${lo ?? ABSENT} to ${hi ?? 'not known'}`,
    words,
  ]);
  return {
    id: 'not-claimed',
    title: 'Not part of this claim',
    blocks:
      rows.length === 0
        ? [text('Nothing beyond it was found.')]
        : [table(['what', '#findings', '#USD', 'why'], rows)],
  };
}

const APART: { readonly [W in NamedApart['what']]: string } = {
  provisional: 'provisional',
  bounded: 'possible beyond the claim',
  weak: 'likely only',
  uncaused: 'without a proved cause',
  under: 'charged too little',
};

function groundSection({ result, books, reads }: LetterInput): Section {
  const { completeness } = result;
  return {
    id: 'grounds',
    title: 'What it rests on',
    blocks: [
      text(
        `${result.basis === 'ledger' ? 'Each call as our client saw it was compared with its usage record' : 'Each usage record was compared'} ` +
          'with the price book, in exact decimals, rounded as the book says. ' +
          `The records were last read at ${completeness?.last_read_at ?? ABSENT}; ` +
          `that none is missing is ${completeness?.proved === true ? 'proved by the totals of the same time' : 'not proved'}.`,
      ),
      table(
        ['price book', 'version', 'first read', 'last read', 'SHA-256 of its bytes'],
        books.map((book) => bookRow(book, reads)),
      ),
    ],
  };
}

function bookRow({ id, version, own, sha256 }: BundleBook, reads: LetterInput['reads']): readonly string[] {
  const moments = reads
    .filter((read) => read.read === 'book' && read.sha256 === sha256)
    .map(({ read_at }) => read_at)
    .toSorted();
  return [
    own ? `${id ?? ABSENT} (a file of ours, not as served)` : (id ?? ABSENT),
    version ?? ABSENT,
    moments[0] ?? ABSENT,
    moments.at(-1) ?? ABSENT,
    sha256,
  ];
}

function sumOf(claims: readonly ExplainedClaim[]): bigint {
  return claims.reduce((sum, { claim }) => sum + amountOf(claim.amount), 0n);
}
