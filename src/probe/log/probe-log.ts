import { type Logger, pino, stdSerializers } from 'pino';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { PHASES } from '../../contracts/metrics/label-values.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { formatInstant } from '../../core/time.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { type LogSink, maskingSink } from './masking-sink.ts';

/** What the log tells of a run: named one by one, so that no prompt, answer or usage as served comes along. */
function runFields({ api, model, stream }: Probe, run: ProbeRun): Readonly<Record<string, unknown>> {
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
    phases_ms: run.phases && Object.fromEntries(phasesOf(run.phases)),
    tokens: tokens(run.rows),
    cost: run.spend && { reserved_usd: usd(run.spend.reserved), priced_usd: usd(run.spend.priced) },
  };
}

function phasesOf(phases: NonNullable<ProbeRun['phases']>) {
  return PHASES.map((phase) => [phase, tenth(phases[phase])] as const);
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

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export interface ProbeLogOptions {
  readonly sink: LogSink;
  readonly secrets: SecretValues;
  readonly level: LogLevel;
  /** Wall clock, ms. */
  readonly now: () => number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The daemon's log: one JSON line each, without any loaded secret, prompt or answer. */
export class ProbeLog {
  readonly #logger: Logger;

  constructor({ sink, secrets, level, now }: ProbeLogOptions) {
    this.#logger = pino(
      {
        level,
        base: null,
        timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
        // With its causes, each with message and stack.
        serializers: { err: stdSerializers.errWithCause },
      },
      maskingSink(sink, secrets),
    );
  }

  /** One line a run. What the target did wrong is a warning; nothing of it is an error of ours. */
  run(probe: Probe, run: ProbeRun): void {
    this.#logger[run.error_type === 'none' ? 'info' : 'warn'](runFields(probe, run), 'run');
  }

  debug(message: string, fields: Fields = {}): void {
    this.#logger.debug(fields, message);
  }

  info(message: string, fields: Fields = {}): void {
    this.#logger.info(fields, message);
  }

  warn(message: string, fields: Fields = {}): void {
    this.#logger.warn(fields, message);
  }

  /** A fault of ours or of our input, with its causes. */
  error(message: string, error: unknown, fields: Fields = {}): void {
    this.#logger.error({ ...fields, err: error }, message);
  }
}
