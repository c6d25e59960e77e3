const SECOND_MS = 1000;
/** Length of `YYYY-MM-DDThh:mm:ss.`. */
const PREFIX = 20;

let second = Number.NaN;
let prefix = '';

/** RFC 3339 UTC with milliseconds; moments of one second after another share its text. */
export function instantText(epochMs: number): string {
  const whole = Math.floor(epochMs / SECOND_MS);
  if (whole !== second) {
    prefix = new Date(whole * SECOND_MS).toISOString().slice(0, PREFIX);
    second = whole;
  }
  return `${prefix}${String(Math.floor(epochMs - whole * SECOND_MS)).padStart(3, '0')}Z`;
}
