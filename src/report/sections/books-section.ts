import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import { basisWords, changeWords, flagOf, pointWords, readingWords } from '../words/kept-words.ts';
import { type Section, table, text } from './report-document.ts';

/** How the audited gateway fills what the interface leaves open; null where nothing was read. */
export function booksSection(settings: readonly CoverageSetting[]): Section | null {
  const rows = settings.filter(({ basis }) => basis !== null);
  if (rows.length === 0) return null;
  return {
    id: 'books',
    title: 'How this gateway keeps its books',
    blocks: [
      text(
        'The interface of the gateway leaves these points open. The audit read each as shown. To read one otherwise, give --assume-reading with its name and another value.',
      ),
      table(
        ['point, and its name', 'reading', 'basis', 'evidence', 'another reading changes'],
        rows.map((row) => [
          [pointWords(row), flagOf(row) ?? ''].filter((part) => part !== '').join('\n'),
          readingWords(row),
          basisWords(row),
          row.example === null ? row.evidence : `${row.evidence} (${row.example})`,
          changeWords(row),
        ]),
      ),
    ],
  };
}
