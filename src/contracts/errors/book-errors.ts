import type { ErrorEntry } from './error-entry.ts';

/** Errors of price lists and of bills. */
export const BOOK_ERRORS = {
  pricebook_missing: {
    means: 'Records from files were given without a price list.',
    why: 'Expected charges are calculated from a price list, and files contain none.',
    fix: 'Give `--pricebook FILE`, or give the gateway with `--target`.',
  },
  book_missing: {
    means: 'There is no price list at the path that you gave.',
    why: 'Expected charges are calculated from the price list.',
    fix: 'Correct `--pricebook` or `billing.book.file`. Paths in the configuration start from its folder.',
  },
  book_unreadable: {
    means: 'The price list cannot be read in full.',
    why: 'A price that is missing or misread would make the verdict wrong.',
    fix: 'Correct the file, or describe its layout with a mapping. [Price lists](pricebooks.md) shows both.',
  },
  book_corrupt: {
    means: 'A price list in the run folder was changed after it was stored.',
    why: 'The name of the file is its SHA-256, and a changed price list proves nothing.',
    fix: 'Restore the file as it was served, or read it again in a new run.',
  },
  pricebook_invalid: {
    means: 'The address of `--pricebook` is not usable.',
    why: 'Weighbridge reads the price list from this address.',
    fix: 'Give the address of a gateway. Download any other price list and give its path.',
  },
  mapping_invalid: {
    means: 'The mapping of a price list has an error.',
    why: 'The mapping says which field is which price.',
    fix: 'Correct each line of the message. `pricebook preview` with `--mapping` shows what it reads.',
  },
  mapping_not_written: {
    means: 'The new mapping could not be written.',
    why: 'The folder does not exist or cannot be written.',
    fix: 'Give `--out` an existing folder that you can write to.',
  },
  list_prices_unreadable: {
    means: 'The list prices to compare with cannot be read.',
    why: 'The comparison needs a complete price list.',
    fix: 'Give a price list in a known layout. [Price lists](pricebooks.md) names them.',
  },
  bill_missing: {
    means: 'There is no bill at the path that you gave.',
    why: '`--bill` compares charges with the sums of a bill.',
    fix: 'Give the path of a JSON or CSV file.',
  },
  bill_unread: {
    means: 'The bill of this run was not read.',
    why: 'A bundle asks for money back, and this needs usage records.',
    fix: 'Run `weighbridge reconcile --run ID` first.',
  },
  bill_kind_unknown: {
    means: 'The form of the bill is not known.',
    why: 'Its rows fit none of the forms that Weighbridge reads.',
    fix: 'Name the form with `--bill-mapping`, or write a mapping. [Bills of sums](bills.md) shows one.',
  },
  upstream_without_amounts: {
    means: 'The bill for `--upstream` has tokens, but no amounts.',
    why: 'A margin is a difference of amounts.',
    fix: 'Export the costs of the same days, such as `openai-costs` instead of `openai-usage`.',
  },
  bill_corrupt: {
    means: 'A row of the bill cannot be read.',
    why: 'A sum that is misread would make the verdict wrong.',
    fix: 'Export the bill again, or describe its rows with `--bill-mapping`.',
  },
  bill_empty: {
    means: 'The bill has no rows.',
    why: 'There is nothing to compare.',
    fix: 'Export the bill for a period with calls.',
  },
  bill_currency: {
    means: 'The bill has amounts in another currency than USD.',
    why: 'Amounts of two currencies are never added.',
    fix: 'Give only the rows that are in USD.',
  },
  bill_duplicate: {
    means: 'The bill has the same row twice.',
    why: 'The row would be counted twice.',
    fix: 'Give each part of the bill once. If both rows count, name the column that differs as `key` in a mapping.',
  },
  bill_overlap: {
    means: 'Two rows of the bill cover the same time.',
    why: 'Their common time would be counted twice.',
    fix: 'Export the bill in periods of one length.',
  },
  bill_zone_unknown: {
    means: 'The time zone of the bill is not known.',
    why: 'The zone decides where a day of the bill begins.',
    fix: 'Give a zone such as `UTC`, `+08:00` or `Europe/Berlin`, or leave it out.',
  },
  kept_bill_unreadable: {
    means: 'The bill that the audit keeps in its folder is damaged.',
    why: 'The verdict is calculated from it.',
    fix: 'Run `weighbridge reconcile` with `--bill` again.',
  },
} satisfies Record<string, ErrorEntry>;
