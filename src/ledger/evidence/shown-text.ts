import { createHash } from 'node:crypto';

const MOST_SHOWN = 40;
const SHOWN_DIGITS = 16;

/** Shows a value of another program's file in a message; a longer one, which may be what somebody wrote, by its hash. */
export function shownText(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, SHOWN_DIGITS);
  return `a text of ${text.length} characters (sha256 ${hash}…)`;
}

/** Takes the value out of what the reader of CSV says: a cell may be what somebody wrote. */
export function withoutCell(message: string): string {
  return message.replace(/,? value is .*/s, '');
}
