import type { UntoldTerm } from '../../contracts/reconciliation.ts';
import { formatAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { type Section, table, text } from '../sections/report-document.ts';
import { ABSENT, usd } from '../words/figure-text.ts';
import type { BundleBook, BundleInput } from './bundle-input.ts';
import { causeSection, causeTitle } from './cause-section.ts';
import { byCause, sumOfClaims } from './claim-causes.ts';
import { claimAmount } from './claimable.ts';
import type { ExplainedClaim } from './claims-csv.ts';
import { MANIFEST } from './manifest.ts';
import { apartTable, type NotClaimed } from './not-claimed.ts';
import { letterKind, whyNoSum } from './untold-words.ts';

export interface LetterInput extends Pick<BundleInput, 'result' | 'books' | 'reads'> {
  readonly id: string;
  readonly claims: readonly ExplainedClaim[];
  readonly apart: readonly NotClaimed[];
  /** Why no sum is demanded; empty where it is. */
  readonly untold: readonly UntoldTerm[];
  readonly left_out: readonly string[];
  /** What the whole bill charges, USD. */
  readonly charged: string | null;
}

export interface Letter {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** A claim asks a sum back; a question asks for an explanation of each row, and says why it demands no sum. */
export function letterOf(input: LetterInput): Letter {
  const { id, claims, untold } = input;
  const kind = letterKind(untold);
  const causes = byCause(claims).toSorted((left, right) => {
    const difference = sumOfClaims(right) - sumOfClaims(left);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  const title =
    kind === 'claim'
      ? `Claim ${id}: ${usd(formatAmount(sumOfClaims(claims)))} charged too much`
      : `Question ${id}: ${plural(claims.length, 'charge')} that we compute otherwise`;
  return {
    title,
    sections: [
      kind === 'claim' ? claimSection(input, causes) : questionSection(input, causes),
      ...causes.map((own) => causeSection(kind, own, (sha256) => servedWords(sha256, input))),
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

type Causes = readonly (readonly ExplainedClaim[])[];

function claimSection({ claims, result, charged }: LetterInput, causes: Causes): Section {
  return {
    id: 'claim',
    title: 'What is claimed',
    blocks: [
      text(
        `To the support of ${result.target}, ${dayOf(result)}. From ${periodOf(result)} (UTC) you charged our account ${usd(charged)}. ` +
          `For ${plural(claims.length, 'request')} you charged ${usd(formatAmount(sumOfClaims(claims)))} more than the price list allows. Please credit ${usd(formatAmount(sumOfClaims(claims)))} to our account.`,
      ),
      table(
        ['cause', 'rule', '#requests', '#USD', '#of it held, not charged'],
        causes.map((own) => [
          ...nameOf(own),
          String(own.length),
          formatAmount(sumOfClaims(own)),
          formatAmount(own.reduce((sum, { claim }) => sum + claimAmount(claim.held), 0n)),
        ]),
      ),
      text(
        'We claim only what is certain. Each request stands in claims.csv, ' +
          'and in explanations.txt with its call, its record, its price and the sum term by term.',
      ),
    ],
  };
}

function questionSection({ claims, result, untold }: LetterInput, causes: Causes): Section {
  const one = claims.length === 1;
  return {
    id: 'question',
    title: 'What we ask',
    blocks: [
      text(
        `To the support of ${result.target}, ${dayOf(result)}. From ${periodOf(result)} (UTC), we computed ${plural(claims.length, 'request')} of our account ` +
          `by your price list, and you charged or still hold ${one ? 'another amount. Please explain it.' : 'other amounts. Please explain each of them.'}`,
      ),
      text(whyNoSum(untold)),
      table(
        ['what it looks like', 'rule', '#requests'],
        causes.map((own) => [...nameOf(own), String(own.length)]),
      ),
      text(
        'Each request stands in questions.csv, and in explanations.txt with its call, its record, its price and the sum term by term.',
      ),
    ],
  };
}

function periodOf({ period }: LetterInput['result']): string {
  return period === null ? ABSENT : `${period.start} to ${period.end}`;
}

/** The day of the last read: the same folder gives the same letter. */
function dayOf({ completeness }: LetterInput['result']): string {
  return completeness?.last_read_at?.slice(0, 10) ?? ABSENT;
}

function nameOf([first]: readonly ExplainedClaim[]): readonly [string, string] {
  return first === undefined ? [ABSENT, ABSENT] : [causeTitle(first), first.finding.rule];
}

function servedWords(sha256: string, { books, reads }: LetterInput): string {
  const book = books.find((each) => each.sha256 === sha256);
  if (book?.own === true) return ', a file of ours';
  const [first] = readMoments(sha256, reads);
  return first === undefined ? '' : `, as served at ${first}`;
}

function readMoments(sha256: string, reads: LetterInput['reads']): readonly string[] {
  return reads
    .filter((read) => read.read === 'book' && read.sha256 === sha256)
    .map(({ read_at }) => read_at)
    .toSorted();
}

function apartSection(apart: readonly NotClaimed[]): Section {
  return {
    id: 'apart',
    title: 'Not part of this letter',
    blocks: [apart.length === 0 ? text('We found nothing else.') : apartTable(apart)],
  };
}

function groundSection({ result, books, reads, untold }: LetterInput): Section {
  const { completeness } = result;
  return {
    id: 'grounds',
    title: 'How we checked',
    blocks: [
      text(
        `${result.basis === 'ledger' ? 'We compared each call, as our client saw it, with its usage record' : 'We compared each usage record'} ` +
          `${result.basis === 'ledger' ? 'and ' : ''}with the price list, in exact decimals${untold.includes('rounding') ? '' : ', rounded as the list says'}. ` +
          `We last read the records at ${completeness?.last_read_at ?? ABSENT}. ` +
          (completeness?.proved === true
            ? 'The totals of the same time prove that no record is missing.'
            : 'It is not proved that no record is missing.'),
      ),
      table(
        ['price book', 'version', 'first read', 'last read', 'SHA-256 of its bytes'],
        books.map((book) => bookRow(book, reads)),
      ),
    ],
  };
}

function bookRow({ id, version, own, sha256 }: BundleBook, reads: LetterInput['reads']): readonly string[] {
  const moments = readMoments(sha256, reads);
  return [
    own ? `${id ?? ABSENT} (a file of ours, not as served)` : (id ?? ABSENT),
    version ?? ABSENT,
    moments[0] ?? ABSENT,
    moments.at(-1) ?? ABSENT,
    sha256,
  ];
}
