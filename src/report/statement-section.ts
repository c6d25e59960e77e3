import { plural } from '../core/plural.ts';
import type { StatementBridge } from '../core/statement.ts';
import { signedUsd, usd } from './figure-text.ts';
import { type Section, table, text } from './report-document.ts';

const MOST_RECEIPTS = 20;

/** The account statement against what was judged. */
export function statementSection(bridge: StatementBridge): Section {
  const { receipts } = bridge;
  const shown = receipts.slice(0, MOST_RECEIPTS);
  const more = receipts.length - shown.length;
  return {
    id: 'statement',
    title: 'The account statement',
    blocks: [
      table(
        ['line', '#USD', 'meaning'],
        [
          ['opening', usd(bridge.opening), 'by the statement'],
          ['+ top-ups', usd(bridge.top_ups), plural(receipts.length, 'receipt')],
          ['− settled', usd(bridge.settled), 'charges of our records before refunds'],
          ['+ refunds', usd(bridge.refunds), 'given back of settled charges'],
          ['− holds', usd(bridge.holds), 'reserves not settled yet'],
          ['− others', usd(bridge.others), 'charged to this key for calls that are not ours'],
          ['= due', usd(bridge.due), 'what should be left'],
          ['closing', usd(bridge.closing), 'by the statement'],
          [
            'unexplained',
            signedUsd(bridge.unexplained),
            'closing − due: nothing that was read accounts for it',
          ],
        ],
      ),
      ...(shown.length === 0
        ? []
        : [
            table(
              ['receipt', '#USD'],
              shown.map(({ request_id, amount }) => [request_id ?? 'without a request id', usd(amount)]),
            ),
          ]),
      ...(more > 0 ? [text(`and ${plural(more, 'receipt')} more`)] : []),
    ],
  };
}
