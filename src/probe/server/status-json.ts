import { formatAmount } from '../../core/amount.ts';
import type { DaemonView } from '../view/daemon-view.ts';
import type { Answer } from './answer.ts';

export const STATUS_SCHEMA = 'weighbridge.status/1';

/**
 * The view as JSON. Amounts are decimal strings of USD; units of a site's credit are digits. The rows of runs are left
 * out: they stand in the ledger.
 */
export function statusJson(view: DaemonView): Answer {
  const body = JSON.stringify({ schema: STATUS_SCHEMA, ...view }, (key, value: unknown) => {
    if (key === 'rows') return undefined;
    if (typeof value !== 'bigint') return value;
    return key === 'credit_units' ? value.toString() : formatAmount(value);
  });
  return { status: 200, type: 'application/json; charset=utf-8', body: `${body}\n` };
}
