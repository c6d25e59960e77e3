import type { CallRow } from '../../contracts/ledger-lines.ts';
import { billedOutcome } from '../../contracts/outcome.ts';
import type { PriceBound, SpendCap } from '../../contracts/plan.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { mapRecord } from '../../core/typed-record.ts';

/** Statuses with which nothing was generated (interface §7), as in xk6/call/settle.go. */
const REFUSED: readonly (number | null)[] = [400, 401, 402, 403, 404, 413, 422, 429];

/** The caps with what the trial may have cost taken from each. `reservedUsd`: what k6 still held of the whole at its end. */
export function capAfterTrial(
  cap: SpendCap,
  trialRows: readonly CallRow[],
  reservedUsd: string | null,
): SpendCap {
  const held = trialRows.map((row) => ({ row, held: heldOf(cap, row) }));
  const left = (limit: string, of: (row: CallRow) => boolean): string =>
    rest(
      limit,
      held.reduce((sum, entry) => (of(entry.row) ? sum + entry.held : sum), 0n),
    );
  return {
    ...cap,
    max_spend_usd:
      cap.max_spend_usd === null ? null : rest(cap.max_spend_usd, parseAmount(reservedUsd) ?? 0n),
    by_scenario: mapRecord(cap.by_scenario, (limit, name) => left(limit, (row) => row.scenario === name)),
    by_model: mapRecord(cap.by_model, (limit, name) => left(limit, (row) => row.model === name)),
  };
}

function rest(limit: string, spent: PicoUsd): string {
  const whole = parseAmount(limit) ?? 0n;
  return formatAmount(whole > spent ? whole - spent : 0n);
}

function boundOf(cap: Pick<SpendCap, 'bounds'>, row: CallRow): PriceBound | undefined {
  return cap.bounds.find(({ model, kind }) => model === row.model && kind === row.kind);
}

/** What a call still holds of a cap: its worst case, or less by what it told (xk6/call/settle.go). */
export function heldOf(cap: Pick<SpendCap, 'bounds'>, row: CallRow): PicoUsd {
  const { outcome, status, usage, worst_case_usd } = row;
  const bound = boundOf(cap, row);
  const worst = parseAmount(worst_case_usd) ?? 0n;
  if (outcome === 'not_sent' || (outcome === 'http_error' && REFUSED.includes(status))) return 0n;
  if (billedOutcome(row) !== 'ok' || bound === undefined || usage === null) return worst;
  const { input, output } = usage;
  if (input === null || output === null) return worst;
  const price =
    BigInt(bound.per_input_token) * BigInt(input) +
    BigInt(bound.per_output_token) * BigInt(output) +
    BigInt(bound.fixed);
  return price < worst ? price : worst;
}
