import type { ApiKey } from '../../account/account.ts';
import type { CallDetail } from '../../calls/call-details.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import type { Model } from '../../models/model.ts';

/** What a row is made of. */
export interface RowSource {
  readonly key: ApiKey;
  readonly record: ChargeRecord;
  readonly detail: CallDetail | null;
  /** At the prices by which it was charged; null: none of this gateway. */
  readonly model: Model | null;
}
