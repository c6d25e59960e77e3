import { isNotOurs } from '../../contracts/match-pass.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { TrafficSum } from '../../contracts/result-money.ts';
import type { Statement, StatementBridge } from '../../contracts/statement.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { heldBy, isRefunded, refundedBy } from '../rows/record-amounts.ts';

/** The way from the opening balance of a statement to its closing one, by what was judged; the rest as a line. */
export function statementBridge(statement: Statement, reconciliation: Reconciliation): StatementBridge {
  const { money, calls, sums } = reconciliation;
  const rows = [...calls.filter(({ match }) => !isNotOurs(match)), ...sums];
  const records = rows.flatMap((row) => row.records ?? []);
  const back = known(refundedBy(records.filter(isRefunded)));
  const charged = known(money.charged);
  const settled = charged === null || back === null ? null : charged + back;
  const holds = known(money.pending ?? heldBy(records));
  const others = total([
    money.foreign,
    ...(money.known ?? []),
    ...(money.unattributed === undefined ? [] : [money.unattributed]),
  ]);
  const opening = given(statement.opening);
  const closing = given(statement.closing);
  const topUps = statement.top_ups.reduce((sum, { amount }) => sum + given(amount), 0n);
  const due =
    settled === null || back === null || holds === null || others === null
      ? null
      : opening + topUps - settled + back - holds - others;
  return {
    opening: formatAmount(opening),
    top_ups: formatAmount(topUps),
    settled: shown(settled),
    refunds: shown(back),
    holds: shown(holds),
    others: shown(others),
    due: shown(due),
    closing: formatAmount(closing),
    unexplained: due === null ? null : formatAmount(closing - due),
    receipts: statement.top_ups,
  };
}

function total(sums: readonly TrafficSum[]): PicoUsd | null {
  return sums.reduce<PicoUsd | null>((sum, { amount }) => {
    const own = known(amount);
    return sum === null || own === null ? null : sum + own;
  }, 0n);
}

function known(amount: string | null): PicoUsd | null {
  return amount === null ? null : parseAmount(amount);
}

/** Checked where the statement is read. */
function given(amount: string): PicoUsd {
  const value = parseAmount(amount);
  if (value === null) throw new RangeError(`statement: ${JSON.stringify(amount)} is no amount`);
  return value;
}

function shown(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
