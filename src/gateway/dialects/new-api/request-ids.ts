import { mix32 } from '../../chance/quick-random.ts';
import type { Clock } from '../../time/clock.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Makes `YYYYMMDDhhmmss`, nanoseconds without leading zeros, 8 hex digits of the process, 8 letters: neither of one length nor in order. */
export function newApiRequestIds(clock: Clock, salt: bigint): () => string {
  const program = (salt & 0xffffffffn).toString(16).padStart(8, '0');
  let count = 0;
  return () => {
    count += 1;
    const now = clock.wallMs();
    const moment = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
    const nanoseconds = Math.floor((now % 1000) * 1_000_000) + (count % 1_000_000);
    return `${moment}${nanoseconds}${program}${letters(count, Number(salt >> 32n))}`;
  };
}

/** Never twice for two counts that are less than 52⁵ apart. */
function letters(count: number, salt: number): string {
  let text = '';
  for (let rest = count; text.length < 5; rest = Math.floor(rest / LETTERS.length))
    text += LETTERS[rest % LETTERS.length];
  const drawn = mix32(count ^ salt);
  return text + [0, 8, 16].map((shift) => LETTERS[(drawn >>> shift) % LETTERS.length]).join('');
}
