import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { ABSENT, periodText } from '../words/figure-text.ts';
import { type Block, type Section, table } from './report-document.ts';

/** A price book that the bill was judged by. */
export interface UsedBook {
  readonly sha256: string;
  /** Null where its bytes do not tell. */
  readonly id: string | null;
  readonly version: string | null;
}

const MOST_KEYS = 8;
const MOST_BOOKS = 8;

/** Whose bill of which time was judged, and by which prices. */
export function summarySection(
  result: Result,
  reconciliation: Reconciliation,
  keys: readonly string[],
  books: readonly UsedBook[],
): Section {
  const { money } = reconciliation;
  const facts: readonly (readonly [string, string])[] = [
    ['period', result.period === null ? ABSENT : periodText(result.period)],
    ['target', result.target],
    ...(keys.length === 0 ? [] : [['keys (fingerprints)', listed(keys, MOST_KEYS)] as const]),
    ['records judged', String(money.records)],
  ];
  const blocks: Block[] = [table(['what', 'value'], facts)];
  if (books.length > 0) {
    const shown = books.slice(0, MOST_BOOKS);
    const more = books.length - shown.length;
    blocks.push(
      table(
        ['price book', 'version', 'SHA-256'],
        [
          ...shown.map(({ id, version, sha256 }) => [id ?? ABSENT, version ?? ABSENT, sha256]),
          ...(more > 0 ? [[`and ${more} more`, '', '']] : []),
        ],
      ),
    );
  }
  return { id: 'summary', title: 'What was judged', blocks };
}

/** Fingerprints of the keys whose bill was judged. */
export function keysOf({ calls }: Reconciliation, told: readonly string[]): readonly string[] {
  const seen = calls.flatMap(({ row }) => (row === null || row.key_fp === null ? [] : [row.key_fp]));
  return [...new Set([...told, ...seen])].sort();
}

function listed(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown;
}
