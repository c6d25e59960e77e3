import type { KeyResult } from '../../contracts/load-result.ts';
import type { Result } from '../../contracts/result.ts';
import type { KeyMoney } from '../../contracts/result-money.ts';
import { plural } from '../../text/plural.ts';
import { usd } from './figure-text.ts';

/** What is known of one API key. */
export interface KnownKey {
  /** Null for what no call names the key of. */
  readonly key_fp: string | null;
  readonly figures: KeyResult | null;
  /** Null where no bill was read, or nothing stands under the key. */
  readonly money: KeyMoney | null;
}

/** By fingerprint; none where the calls were made with fewer than two keys. */
export function tellKeys({ load, money }: Pick<Result, 'load' | 'money'>): readonly KnownKey[] {
  const figures = load?.keys ?? [];
  const sums = money?.by_key ?? [];
  const names = [...new Set([...figures, ...sums].map(({ key_fp }) => key_fp))];
  return names
    .toSorted((left, right) => ((left ?? '~') < (right ?? '~') ? -1 : 1))
    .map((key_fp) => ({
      key_fp,
      figures: figures.find((each) => each.key_fp === key_fp) ?? null,
      money: sums.find((each) => each.key_fp === key_fp) ?? null,
    }));
}

/** As many digits as tell the keys of one run apart. */
const SHOWN_DIGITS = 8;

/** Each key in few words. */
export function keyWords(result: Pick<Result, 'load' | 'money'>): readonly string[] {
  return tellKeys(result).map(({ key_fp, figures, money }) => {
    const parts = [
      ...(figures === null ? [] : [plural(figures.calls, 'call'), `${figures.ok} ok`]),
      ...(figures === null || figures.rate_limited === 0 ? [] : [`${figures.rate_limited} × HTTP 429`]),
      ...(money === null ? [] : [`charged ${usd(money.charged)}`]),
    ];
    return `${key_fp?.slice(0, SHOWN_DIGITS) ?? 'no key told'} ${parts.join(', ')}`;
  });
}
