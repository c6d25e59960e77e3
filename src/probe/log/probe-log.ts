import { type Logger, pino, stdSerializers } from 'pino';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import type { ProbeRun } from '../runs/probe-run.ts';
import { type LogSink, maskingSink } from './masking-sink.ts';
import { runFields } from './run-fields.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

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
