import type { BucketBillResult } from '../../contracts/bucket-bill.ts';
import { plural } from '../../text/plural.ts';
import { usd } from './figure-text.ts';

/** A figure of a bill, with its unit. */
export function billFigure(text: string, unit: BucketBillResult['unit']): string {
  return unit === 'USD' ? usd(text) : `${text} ${text === '1' ? 'token' : 'tokens'}`;
}

/** The bill in one line: how many buckets agree, what is certain, and by which days it was read. */
export function billWords(bill: BucketBillResult): string {
  const { unit, money, agrees, over, under, cant_be_told } = bill;
  const amount = (text: string): string => billFigure(text, unit);
  return [
    `${agrees} of ${plural(bill.buckets, 'bucket')} ${agrees === 1 ? 'agrees' : 'agree'}`,
    ...(over === 0 ? [] : [`${over} over by at least ${amount(money.over)}`]),
    ...(under === 0 ? [] : [`${under} under by at least ${amount(money.under)}`]),
    ...(cant_be_told === 0 ? [] : [`${cant_be_told} can't be told`]),
    ...(bill.unassigned.length === 0 ? [] : [`${amount(money.unassigned)} of no model`]),
    zoneWords(bill),
  ].join(' · ');
}

/** Which days the bill means, and how that is known. */
export function zoneWords({ zone: { name, how, others } }: BucketBillResult): string {
  switch (how) {
    case 'declared':
      return `days of ${name}, as declared`;
    case 'told':
      return `days of ${name}, as the bill tells`;
    case 'inferred':
      return `days of ${name}, as its sums show`;
    case 'several':
      return `days of ${[name, ...others].join(' or ')}: its sums fit all of them`;
    case 'none_fits':
      return 'its sums fit the days of no zone';
  }
}

/** The identity of the bill, to the last digit. */
export function billIdentity({ unit, money }: BucketBillResult): string {
  const { billed, ours, over, under, open, unassigned } = money;
  const amount = (text: string): string => billFigure(text, unit);
  return `billed ${amount(billed)} = ours ${amount(ours)} + over ${amount(over)} − under ${amount(under)} + open ${amount(open)} + of no model ${amount(unassigned)}`;
}
