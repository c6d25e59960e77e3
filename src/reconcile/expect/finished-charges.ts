import type { PriceBook } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { exactOf, holdsCredit, sumOfGroup } from './charge.ts';
import { expectedCharge } from './expected-charge.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';

interface MatchedRecords {
  readonly call: PaidCall;
  readonly records: readonly ServedRecord[];
}

interface FinishedCharge {
  readonly call: PaidCall;
  readonly book: PriceBook;
  readonly facts: ChargeFacts;
  readonly charged: PicoUsd;
}

/** Finished calls of which the records tell one charge, and of which all is known that the price depends on. */
export function finishedCharges(
  context: JudgeContext,
  matches: readonly MatchedRecords[],
  isAsked: (book: PriceBook) => boolean,
): readonly FinishedCharge[] {
  return matches.flatMap(({ call, records }): readonly FinishedCharge[] => {
    const [record] = records;
    if (record === undefined || call.outcome !== 'ok') return [];
    const isOneCharge = records.length === 1 || holdsCredit(records);
    if (!isOneCharge || records.some(({ billing_status }) => billing_status !== 'settled')) return [];
    const book = bookOf(context, record);
    const charge = sumOfGroup(records, context.settings);
    const charged = charge === null ? null : exactOf(charge);
    if (book === null || charged === null || !isAsked(book)) return [];
    const expected = expectedCharge(context, call, record, book);
    return 'unknown' in expected || expected.facts === null
      ? []
      : [{ call, book, facts: expected.facts, charged }];
  });
}
