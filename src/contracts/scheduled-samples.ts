import { SCHEDULED_RUN_LINES, type ScheduledRun, type ScheduledRunLine } from './scheduled-run.ts';

/** The values of its metrics as plain decimals, which lose nothing; a null amount has no sample. */
export interface ScheduledSamples {
  readonly end_s: string;
  readonly expected_s: string;
  readonly exit_status: string;
  readonly usd: readonly { readonly line: ScheduledRunLine; readonly value: string }[];
}

export function scheduledSamples({
  ended_at,
  every_ms,
  exit_status,
  usd,
}: Pick<ScheduledRun, 'ended_at' | 'every_ms' | 'exit_status' | 'usd'>): ScheduledSamples {
  const end_ms = Date.parse(ended_at);
  return {
    end_s: String(end_ms / 1000),
    expected_s: String((end_ms + every_ms) / 1000),
    exit_status: String(exit_status),
    usd: SCHEDULED_RUN_LINES.flatMap((line) => {
      const value = usd[line];
      // A refund above the charge can make a sum negative; a gauge of money below 0 would be read as a reset.
      return value === null || value.startsWith('-') ? [] : [{ line, value }];
    }),
  };
}
