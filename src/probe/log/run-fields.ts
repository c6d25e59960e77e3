import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import type { ProbeRun } from '../runs/probe-run.ts';

/** What the log tells of a run: named one by one, so that no prompt, answer or usage as served comes along. */
export function runFields({ api, model, stream }: Probe, run: ProbeRun): Readonly<Record<string, unknown>> {
  return {
    target: run.target,
    probe: run.probe,
    api,
    model,
    stream,
    outcome: run.rows.at(-1)?.outcome ?? null,
    error_type: run.error_type,
    blame: run.blame,
    why: run.why,
    request_id: run.request_id,
    statuses: run.statuses,
    started_at: formatInstant(run.started_ms),
    duration_ms: tenth(run.duration_ms),
    retry_after_ms: run.retry_after_ms,
    phases_ms: run.phases === null ? null : phases(run.phases),
    tokens: tokens(run.rows),
    cost: run.spend && { reserved_usd: usd(run.spend.reserved), priced_usd: usd(run.spend.priced) },
  };
}

function phases(of: NonNullable<ProbeRun['phases']>): Readonly<Record<keyof typeof of, number | null>> {
  const { resolve, connect, tls, send, wait, transfer } = of;
  return {
    resolve: tenth(resolve),
    connect: tenth(connect),
    tls: tenth(tls),
    send: tenth(send),
    wait: tenth(wait),
    transfer: tenth(transfer),
  };
}

const COUNTS = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const;

/** Of the last call that told any. */
function tokens(rows: readonly CallRow[]): Readonly<Record<string, number | null>> | null {
  const usage = rows.findLast((row) => row.usage !== null)?.usage ?? null;
  return usage && Object.fromEntries(COUNTS.map((count) => [count, usage[count]]));
}

function tenth(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

function usd(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
