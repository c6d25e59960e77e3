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
        'The interface leaves these points open. Each was read as shown, by what stands beside it. The flag --assume-reading NAME=VALUE reads a point otherwise.',
      ),
      table(
        ['point', 'reading', 'basis', 'evidence', 'another reading would change', 'NAME'],
        rows.map((row) => [
          pointWords(row),
          readingWords(row),
          basisWords(row),
          row.example === null ? row.evidence : `${row.evidence} (${row.example})`,
          changeWords(row),
          flagOf(row) ?? '',
        ]),
      ),
    ],
  };
}
