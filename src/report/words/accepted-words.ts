import type { Accepted } from '../../contracts/acceptance.ts';
import { plural } from '../../text/plural.ts';
import { usd } from './figure-text.ts';

/** One acceptance with who, why, until when, and what it covers. */
export function acceptedWords({ cause, findings, usd: sum, by, why, until, up_to_usd }: Accepted): string {
  return `${cause}: ${plural(findings, 'finding')}, ${sum === null ? 'of an unknown sum' : usd(sum)} of ${usd(up_to_usd)}, accepted by ${by} until ${until}: ${why}`;
}

/** Null where it holds, or covers nothing. */
export function overWords(accepted: Accepted): string | null {
  const { cause, state, findings, usd: sum, up_to_usd, until, by } = accepted;
  if (state === 'holds' || findings === 0) return null;
  const why =
    state === 'expired'
      ? `it held until ${until}`
      : `${sum === null ? 'an unknown sum' : usd(sum)} is more than ${usd(up_to_usd)}`;
  return `THE ACCEPTANCE OF ${cause} BY ${by} IS OVER: ${why}`;
}
