import { plural } from '../../core/plural.ts';

/** What a bundle does not hold, as it is printed before it is written and as its letter says. */
export function leftOut({
  fields,
  books,
}: {
  /** Fields of records beyond those documented. */
  readonly fields: number;
  /** Names of price books that hold what looks like a key. */
  readonly books: readonly string[];
}): readonly string[] {
  return [
    'API keys, access tokens, and the fingerprints of keys',
    'prompts, and the texts of answers and of error messages',
    'records, calls and reads of other requests; other prices are in the books as served',
    'account reads (balance, consumption), cursors of pages, and the plan, configuration and ledger of the run',
    fields === 0
      ? 'fields of records beyond those that are documented (none were served)'
      : `${plural(fields, 'field')} of records beyond those that are documented`,
    ...books.map((name) => `the price book ${name}: it holds what looks like a key`),
  ];
}
