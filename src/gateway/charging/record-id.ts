const PREFIX = 'rec_';
const DIGITS = 12;

/** The id of the n-th record of a ledger: of fixed width, so that ids order as their numbers do. */
export function recordId(number: number): string {
  return PREFIX + number.toString().padStart(DIGITS, '0');
}

/** The number in such an id, or NaN for a text of another form. */
export function numberOfRecordId(id: string): number {
  if (id.length !== PREFIX.length + DIGITS || !id.startsWith(PREFIX)) return Number.NaN;
  let number = 0;
  for (let at = PREFIX.length; at < id.length; at += 1) {
    const digit = id.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
