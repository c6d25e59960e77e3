/** Words of a gateway and books that the auditor does not know: it says so, and accuses of no wrong bill. */
export const NOTES: ReadonlySet<string> = new Set(['unknown_status', 'price_book_unreadable']);
